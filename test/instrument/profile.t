#!/bin/bash
# recut profile: the counts are right, and a program with every function swapped
# does what it does without.
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache

# count FILE FUNCTION KIND LINE: executions and bytes of the accesses of one
# kind on one line, "count bytes".
count() {
	python3 - "$@" <<-'EOF'
		import json, sys
		path, function, kind, line = sys.argv[1:]
		found = [a for f in json.load(open(path))["functions"] if f["name"] == function
		         for a in f["accesses"] if a["kind"] == kind and a["line"] == int(line)]
		print(sum(a["count"] for a in found), sum(a["bytes"] for a in found))
	EOF
}
calls() {
	python3 -c 'import json, sys
print(sum(f["calls"] for f in json.load(open(sys.argv[1]))["functions"] if f["name"] == sys.argv[2]))' "$@"
}

cat >known.c <<'EOF'
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int cell;
volatile uint16_t half;
char from[1000], to[1000];
static jmp_buf out;
__attribute__((noinline)) void touch(int n) {
    for (int i = 0; i < n; i++)
        cell = i;
}
__attribute__((noinline)) int leave(int n) {
    half = 1;
    if (n)
        longjmp(out, 1);
    return n;
}
__attribute__((noinline)) void jump(int n) {
    if (setjmp(out) == 0)
        leave(n), half = 3;
}
__attribute__((noinline)) void copy(size_t n) { memcpy(to, from, n); }
static void *thread(void *n) { touch((int)(long)n); return NULL; }
int main(void) {
    touch(10);
    for (int i = 0; i < 7; i++)
        jump(i % 2);
    for (size_t i = 1; i <= 100; i++)
        copy(i);
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread, (void *)1000000L);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    if (fork() == 0) {
        touch(100);
        _exit(0);
    }
    wait(NULL);
    return (cell & 1) + to[0];
}
EOF
for level in -O0 -O2; do
	ok "$level: build" "$RECUT_CC" -g $level known.c -o known
	exits "$level: exit status is the program's" 1 "$RECUT" profile -q -o known.json ./known
	line=$(grep -n 'cell = i;' known.c | cut -d: -f1)
	same "$level: stores in main, four threads and a child" "$(count known.json touch store "$line" | cut -d' ' -f1)" \
		"$((10 + 4 * 1000000 + 100))"
	same "$level: bytes of these stores" "$(count known.json touch store "$line" | cut -d' ' -f2)" \
		"$((4 * (10 + 4 * 1000000 + 100)))"
	line=$(grep -n 'half = 1;' known.c | cut -d: -f1)
	same "$level: a call that does not return" "$(count known.json leave store "$line")" '7 14'
	line=$(grep -n 'half = 3;' known.c | cut -d: -f1)
	same "$level: what follows it is counted when it is reached" "$(count known.json jump store "$line")" '4 8'
	line=$(grep -n 'void copy' known.c | cut -d: -f1)
	same "$level: memcpy of varying size" "$(count known.json copy copy "$line")" '100 5050'
	same "$level: calls" "$(calls known.json jump)" 7
	"$RECUT" profile --each -q -o each.json ./known
	same "$level: a counter for each access agrees" "$(cat each.json)" "$(cat known.json)"
done

"$RECUT" profile -q -o only.json --only copy --only touch ./known
same '--only FUNCTION counts there' "$(calls only.json copy) $(calls only.json touch)" '100 6'
same '--only FUNCTION counts nowhere else' "$(calls only.json jump)" 0
"$RECUT" profile -q -o only.json --only known.c ./known
same '--only FILE' "$(calls only.json jump)" 7
like 'the table names functions and lines' "$("$RECUT" profile ./known 2>&1)" '*4000110*touch  known.c:12*'

cp known stripped && strip stripped
"$RECUT" profile -q -o stripped.json ./stripped
same 'a stripped program' "$(calls stripped.json jump)" 7
ok 'static build' "$RECUT_CC" -static -g -O2 known.c -o static
"$RECUT" profile -q -o static.json ./static
same 'a static program' "$(cat static.json | grep -v build_id)" "$(cat each.json | grep -v build_id)"

exits 'no such program' 1 "$RECUT" profile ./nowhere
exits 'not built with recut-cc' 65 "$RECUT" profile /bin/true
exits 'no such function' 2 "$RECUT" profile --only nothing ./known
exits 'no program' 2 "$RECUT" profile
exits 'unwritable output' 1 "$RECUT" profile -q -o /nowhere/file ./known
like 'killed by a signal, counts are kept' "$(
	printf '#include <stdlib.h>\nint main(void) { abort(); }\n' >dies.c
	"$RECUT_CC" dies.c -o dies && "$RECUT" profile ./dies 2>&1
)" '*1 of 1 functions ran*'

# A damaged variant is no harm to the program.
"$RECUT" profile -q ./known
for variant in cache/recut/variants/*; do head -c 5000 /dev/zero >"$variant"; done
like 'a damaged variant' "$(RECUT_VARIANT=$(echo cache/recut/variants/* | cut -d' ' -f1) ./known 2>&1; echo $?)" \
	'recut: the variant * is damaged*1'
rm -rf cache

# Every function swapped: the same output, exit and addresses.
job() {
	read -r name flags <<<"$1"
	programs=$root/test/canonical/programs
	said() { sed -n "s|.*/\* $1: \(.*\) \*/.*|\1|p" "$programs/$name.c"; }
	dir=$PWD/$name${flags// /}
	mkdir -p "$dir/off" "$dir/on"
	limit=$(sed -n 's/.*(ulimit: \([0-9]*\) MiB).*/\1/p' "$programs/$name.c")
	(
		sources=$(said sources)
		# shellcheck disable=SC2046,SC2086
		(cd "$programs" && "$RECUT_CC" -D_GNU_SOURCE -w $flags ${sources:-$name.c} $(said flags) -lm -o "$dir/program") || exit
		[ -z "$limit" ] || ulimit -s $((limit * 1024))
		eval "set -- $(said arguments)"
		export RECUT_TEST_GIVEN=given
		cp "$dir/program" "$dir/off"
		cp "$dir/program" "$dir/on"
		(cd "$dir/off" && timeout 60 ./program "$@" </dev/null >../off.out 2>../off.err; echo "exit $?" >>../off.out)
		(cd "$dir/on" && timeout 120 "$RECUT" profile -q ./program "$@" </dev/null >../on.out 2>../on.err; echo "exit $?" >>../on.out)
		diff "$dir/off.out" "$dir/on.out" && diff "$dir/off.err" "$dir/on.err"
	) >"$dir.log" 2>&1
}
export -f job
export root
names=$(cd "$root/test/canonical/programs" && ls -- *.c | sed 's/\.c$//')
levels=('-O2 -g')
is_long && levels+=('-O0 -g' '-O2 -static')
for level in "${levels[@]}"; do
	for name in $names; do printf '%s %s\0' "$name" "$level"; done
done | xargs -0 -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {}
for level in "${levels[@]}"; do
	for name in $names; do
		log=$name${level// /}.log
		if [ -s "$log" ]; then fail "$name $level, all functions swapped" <"$log"; else
			pass "$name $level, all functions swapped"
		fi
	done
done

# Random programs: both ways of counting agree, and the checksum stays.
if command -v csmith >/dev/null && [ -e /usr/include/csmith/csmith.h ]; then
	seeds=$(if is_long; then seq 1 50; else seq 1 5; fi)
	for seed in $seeds; do
		timeout 20 csmith --seed "$seed" --max-funcs 8 -o "c$seed.c" >/dev/null 2>&1
		"$RECUT_CC" -w -g -O$((seed % 3)) -I/usr/include/csmith "c$seed.c" -o "c$seed"
		plain=$(timeout 5 "./c$seed")
		[ $? = 124 ] && { skip "csmith $seed" 'takes more than 5 s'; continue; }
		same "csmith $seed: checksum" "$("$RECUT" profile -q -o a.json "./c$seed")" "$plain"
		"$RECUT" profile --each -q -o b.json "./c$seed" >/dev/null
		ok "csmith $seed: both ways of counting agree" cmp a.json b.json
	done
else
	skip 'csmith programs' 'csmith is not installed'
fi
finish
