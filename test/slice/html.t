#!/bin/bash
# `recut slice --format html`: the page by itself, and in a browser if there is one.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$root/test/slice

# check NAME WHAT ARGUMENTS…: html_page.py finds nothing wrong
check() {
	local name=$1
	shift
	if python3 "$here/html_page.py" "$@" >.out 2>&1 && [ ! -s .out ]; then pass "$name"; else
		fail "$name" <.out
	fi
}

# page NAME ARGUMENTS…: NAME.html and NAME.lines, and they agree
page() {
	local name=$1
	shift
	"$RECUT" slice "$@" --format html >"$name.html" && "$RECUT" slice "$@" --format lines >"$name.lines"
	check "$name: the page" page "$name.html" "$name.lines"
}

cat >main.c <<'END'
#include <stdio.h>
int half(int number), third(int number);

int main(int argc, char **argv) {
    if (argc > 1) {
        int unused = third(argc);
        int number = argc + 5;
        int total = half(number);
        printf("%d\n", total + number);
        printf("%d\n", unused);
    }
    return argv == NULL;
}
END
cat >part.c <<'END'
int half(int number) {
    int halved = number / 2;
    return halved;
}

int third(int number) {
    int divisor = 3;
    return number / divisor;
}
END
"$RECUT_CC" -w -g -O0 -o prog main.c part.c || exit 1
page backward prog --at main.c:9
page forward prog --at main.c:7 --forward
page chop prog --at main.c:7 --chop main.c:9
page data prog --at main.c:9 --data
page result prog --at half:return
page parameter prog --at half:number
page within prog --at main.c:9 --within half
page near prog --at main.c:9 --depth 1
page empty prog --at main.c:10 --chop main.c:7
for name in backward data result; do check "$name: ways" ways $name.html; done
check 'forward: ways' ways forward.html forward

depends() { python3 "$here/html_page.py" depends "$@" | tr '\n' ';'; }
same 'the criterion is marked' "$(grep -o '<span[^>]*here[^>]*>' backward.html)" \
	'<span id="L0-9" data-n="9" class="in here">'
same 'so is the end of a chop' "$(grep -c 'in here' <(tr '<' '\n' <chop.html))" 2
same 'what returns a result' "$(grep -o '<span[^>]*here[^>]*>' result.html)" \
	'<span id="L1-3" data-n="3" class="in here">'
same 'data and control' "$(depends backward.html 9)" '5 control;7 data;8 data;'
same 'values only' "$(depends data.html 9)" '7 data;8 data;'
same 'what a callee returns' "$(depends backward.html 8)" '5 control;7 data;3 data;'
same 'what a caller passes' "$(depends backward.html 2)" '8 data,call;'
like 'what is folded' "$(cat backward.html)" '*<span class="run" data-count="6"><span id="L1-4"*'

"$RECUT" slice prog --at main.c:9 --format html >again.html
ok 'the same every time' cmp backward.html again.html
mv part.c elsewhere.c
page unreadable prog --at main.c:9
like 'a file that is gone: a note' "$(cat unreadable.html)" '*<p>This file cannot be read*'
printf 'int short;' >part.c
"$RECUT" slice prog --at main.c:9 --format html >short.html
same 'a file that has become short' "$(grep -o 'id="L1-[0-9]*"' short.html | tr '\n' ' ')" \
	'id="L1-1" id="L1-2" id="L1-3" '
rm part.c && mv elsewhere.c part.c

# Threads.
cat >threads.c <<'END'
#include <pthread.h>
static int shared;
static void *writer(void *unused) {
    shared = 5;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = shared;
    pthread_join(thread, 0);
    return seen;
}
END
"$RECUT_CC" -w -g -O0 -pthread -o threads threads.c || exit 1
page threads threads --at threads.c:10
like 'between threads' "$(depends threads.html 10)" '*4 threads;*'

# Text that is none of ours.
mkdir -p 'odd "dir"'
odd=$'odd "dir"/<i> & \'x\' \xc3\xa9.c'
{
	printf '/* </script><script>window.injected = 1</script> \xff \xc3 \xe2\x82 \xed\xa0\x80 */\r\n'
	# shellcheck disable=SC1003
	printf 'const char *text = "</span></pre><img src=x onerror=\\"window.injected = 1\\">&amp;\\n\xf0\x9f\x98\x80";\n'
	printf '\f\tint low(int a, int b) { return a < b && b > 1 ? text[a & b] : \x27"\x27; } /* \x01\x7f\xc2\x85 {{data}} */\n'
	printf 'int main(int argc, char **argv) { return low(argc, 7); } // no end of line'
} >"$odd"
"$RECUT_CC" -w -g -O0 -o odd "$odd" || exit 1
page odd odd --at low:return
same 'a criterion is escaped' "$("$RECUT" slice odd --at "$odd:4" --format html | grep -c '<h1>[^<"]*&lt;i&gt; &amp; [^<"]*</h1>')" 1
cp "$odd" $'latin\xe9.c'
"$RECUT_CC" -w -g -O0 -o latin $'latin\xe9.c' || exit 1
page latin latin --at low:return

# From every line of a slice there is a way to the criterion: contraction has lost nothing.
each=6
is_long && each=1
count=0
for source in "$here"/programs/*.c; do
	name=$(basename "$source" .c)
	grep -q '^/\* options: .*--\(chop\|forward\)' "$source" && continue
	[ $((count++ % each)) = 0 ] || continue
	"$CLANG" -w -std=gnu17 -g -O0 -c -emit-llvm -o "$name.bc" "$source" || continue
	at=$(grep -nE '/\* slice(: \w+)? \*/' "$source" | head -n 1 | cut -d: -f1)
	"$RECUT" slice "$name.bc" --at "$name.c:$at" --format html >"$name.html"
	check "$name: ways" ways "$name.html"
done

if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
	skip 'in a browser' 'chromium and chromium-driver are not installed'
else
	timeout -k 5 180 python3 "$here/html_browser.py" backward.html odd.html empty.html >browser 2>.err ||
		fail 'in a browser' <.err
	while read -r line; do
		case $line in
		'ok '*) pass "browser: ${line#ok }" ;;
		*) fail "browser: ${line#not ok }" </dev/null ;;
		esac
	done <browser
fi
finish
