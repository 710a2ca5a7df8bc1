#!/bin/bash
# What is private stays out: each secret of the program is looked for, byte by byte, in crash files, in what was
# made of them, and in tests.  Built without RECUT_PRIVATE, the same program has all of them there.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state LC_ALL=C

cat >private.c <<'END_OF_C'
#include <recut.h>
#ifndef PRIVATE
#define PRIVATE RECUT_PRIVATE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct account {
    struct account *next;
    char name[16];
    char pin[16] PRIVATE;
    long balance;
    char *note;
};
static char password[32] PRIVATE;
static char *token PRIVATE;
static __thread char session[24] PRIVATE;
static struct account *accounts;
static void *somewhere;
static char line[64];
volatile long zero;

static const char *next_word(void) {
    if (!fgets(line, sizeof line, stdin)) exit(3);
    line[strcspn(line, "\n")] = '\0';
    return line;
}
static __attribute__((noinline)) long pay(struct account *from, const char *key PRIVATE, long code PRIVATE, long amount) {
    char copy[32];
    strcpy(copy, key);
    from->balance -= amount;
    if (copy[0] == password[0] && code == 7) from->balance++;
    return from->balance / zero + copy[3];
}
static __attribute__((noinline)) long serve(int count) {
    char phrase[48];
    strcpy(phrase, next_word());
    char *key = strdup(next_word());
    long number = strtol(next_word(), NULL, 10);
    memset(line, 0, sizeof line);
    somewhere = strdup(password);
    return pay(&accounts[count - 1], key, number, 30) + phrase[2];
}
int main(int argc, char **argv) {
    (void)argv;
    accounts = calloc(3, sizeof *accounts);
    strcpy(password, next_word());
    token = strdup(next_word());
    strcpy(session, next_word());
    for (int i = 0; i < 3; i++) {
        snprintf(accounts[i].name, sizeof accounts[i].name, "customer %d", i);
        strcpy(accounts[i].pin, next_word());
        accounts[i].balance = 100 + i;
    }
    if (argc > 1 && fork() > 0)
        return wait(NULL) < 0;
    return (int)serve(3) + (token[0] == session[0]);
}
END_OF_C
words=(hunter2passw tok-93ab77f1 sess-5512kk pin0-aa81 pin1-bb92 pin2-cc03 local-phrase-77 key-param-451 7364512998811)
printf '%s\n' "${words[@]}" >input
number=$(printf "$(printf '%016x' "${words[8]}" | sed 's/\(..\)/\1 /g' | awk '{ for (i = 8; i > 2; i--) printf "\\x%s", $i }')")

# found FILE...: the secrets that are in them, or below them.
found() {
	local word
	for word in "${words[@]}" "$number"; do
		! grep -rqaF -- "$word" "$@" || echo "$word"
	done
}
# crash LEVEL OPTIONS...: runs it monitored; its crash file is `raw`.
crash() {
	local level=$1
	shift
	rm -rf secret.crash* raw
	("$RECUT" monitor -q "$@" -o secret.crash "./private$level" <input; :) >said 2>&1
	zstd -qdc secret.crash >raw
}
tests_of() {
	rm -rf tests
	"$RECUT" test "$@" -o tests >said 2>&1
}

for level in -O0 -O2; do
	"$RECUT_CC" -g $level -o private$level private.c || exit 1
	"$RECUT_CC" -g $level -DPRIVATE= -o open$level private.c || exit 1
	ln -f open$level private-open$level
	crash -open$level
	same "$level: without it, all is in the crash file" "$(found raw)" "$(printf '%s\n' "${words[@]:0:8}" "$number")"
	"$RECUT" test --review secret.crash >review
	same "$level: and --review shows it" "$(grep -oFf <(printf '%s\n' "${words[@]:0:6}") review | sort -u)" \
		"$(printf '%s\n' "${words[@]:0:6}" | sort)"
	ok "$level: numbers, too" grep -q '^  code = 7364512998811$' review
	for options in '' --copy=reference --copy=deep; do
		crash $level ${options:+"$options"} --redact serve.phrase
		same "$level $options: nothing is in the crash file" "$(found raw)" ''
		tests_of secret.crash
		same "$level $options: nor in tests of it" "$(found tests)" ''
		ok "$level $options: tests that do not need it reproduce" grep -q '^01_pay  *reproduces$' said
		ok "$level $options: those that may are told" grep -q 'may need what is redacted: .*password' said
	done
	ok "$level: and so does the test itself" grep -q 'redacted, and zero here: .*account.pin' tests/01_pay.c
	ok "$level: field by field" grep -q 'pin is redacted' tests/01_pay.c
	"$RECUT" test --review secret.crash >review
	same "$level: --review shows what is left" "$(found review)" ''
	ok "$level: and what is not" grep -q 'pin = redacted$' review
	rm -rf secret.trace
	("$RECUT" record -q -o secret.trace ./private$level <input; :) >/dev/null 2>&1
	tests_of --redact serve.phrase secret.trace
	same "$level: from a recording: not in tests" "$(found tests)" ''
	ok "$level: which reproduce" grep -q '^01_pay  *reproduces$' said
	crash -open$level --redact '*.pin' --redact password --redact token --redact session --redact phrase \
		--redact pay.code --redact 'ke[xy]'
	same "$level: by names alone" "$(found raw)" ''
	crash -open$level
	tests_of --redact '*.pin' --redact password --redact token --redact session --redact phrase \
		--redact code --redact key secret.crash
	same "$level: by names, for the tests of a crash file that has it" "$(found tests)" ''
	crash $level --second-chance --redact phrase
	same "$level: nor before a second chance" "$(found raw)" ''
	crash $level --second-chance --redact phrase
	same "$level: nor after" "$(found raw)" ''
done

rm -rf secret.crash*
("$RECUT" monitor -q --redact phrase -o secret.crash ./private-O0 child <input; :) >/dev/null 2>&1
child=$(ls secret.crash.*)
zstd -qdc "$child" >raw
same 'nor in that of a child' "$(found raw)" ''
ok 'of which there are tests' grep -q . <("$RECUT" test "$child" -o tests)

# An argument is in the comment of each test, and in what the program says of its failure.
cat >command.c <<'END_OF_C'
#include <recut.h>
#include <stdio.h>
#include <string.h>
static char phrase[32] RECUT_PRIVATE;
static __attribute__((noinline)) int use(int count) {
    char why[80];
    snprintf(why, sizeof why, "bad phrase: %s", phrase);
    recut_failure(why);
    return count;
}
int main(int argc, char **argv) {
    strcpy(phrase, argv[1]);
    return use(argc) - argc;
}
END_OF_C
"$RECUT_CC" -g -o command command.c
"$RECUT" record -q -o command.trace ./command open-sesame-7 other >/dev/null 2>&1
"$RECUT" monitor -q ./command open-sesame-7 other >/dev/null 2>&1
for from in command.trace command.crash; do
	"$RECUT" test "$from" -o tests >said 2>&1
	ok "an argument: $from: there are tests" grep -q '^01_use .*reproduces$' said
	same "an argument: $from: it is in none" "$(grep -rl sesame tests said)" ''
	ok "an argument: $from: the others are" grep -q 'command: ./command [*]* other$' tests/01_use.c
done

exits 'a name that nothing has' 1 "$RECUT" monitor --redact nothing ./private-O0
like 'is told' "$("$RECUT" monitor --redact nothing ./private-O0 2>&1)" \
	'recut monitor: no variable, parameter or field is called nothing*'
exits 'for tests, too' 1 "$RECUT" test --redact nothing secret.trace
exits 'an empty name' 2 "$RECUT" monitor --redact '' ./private-O0
exits 'two names in one' 2 "$RECUT" test --redact 'a b' secret.trace
printf 'CAPT damaged' >damaged
exits 'review of a damaged file' 65 "$RECUT" test --review damaged
finish
