#!/bin/bash
# One thread at a time: programs whose threads are in each other's way replay with the
# very results that makes, and chaos finds every result there is.
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs
runs=$([ -n "${RECUT_LONG-}" ] && echo 100 || echo 10)

# Wrong results that replay.
"$RECUT_CC" -w -g -O2 -o racy "$programs/threads_racy.c" || exit 1
for way in counter checked aba; do
	same=0 results=
	for ((i = 1; i <= runs; i++)); do
		rm -rf trace
		timeout -k 5 300 "$RECUT" record -q --chaos=$i -o trace ./racy $way >recorded 2>/dev/null
		recorded=$?
		timeout -k 5 300 "$RECUT" replay trace >replayed 2>replayed.err
		replayed=$?
		results+="$(cat recorded) $recorded"$'\n'
		[ $recorded = $replayed ] && cmp -s recorded replayed && same=$((same + 1)) || cp replayed.err .out
	done 2>/dev/null
	if [ $same = "$runs" ]; then pass "$way: $runs wrong results"; else fail "$way: $same of $runs replay" <.out; fi
	kinds=$(sort -u <<<"$results" | wc -l)
	ok "$way: they differ" test "$kinds" -gt 2
done

# Functions that a header gives away: nobody's code is left out for them.  Calls before an exit
# are not inlined, so that their bodies are still there.
cat >header.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long counter;
static void *add(void *text) {
    for (int i = 0; i < 2000; i++)
        counter += i % 3;
    printf("%d\n", atoi(text));
    pthread_exit(NULL);
}
int main(int argc, char **argv) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, argv[argc - 1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%ld %d\n", counter, atoi(argv[argc - 1]));
    exit(0);
}
C
"$RECUT_CC" -g -O2 -o header header.c || exit 1
rm -rf trace
"$RECUT" record --chaos=5 -o trace ./header 200 >recorded 2>recorded.err
ok "functions of headers: nothing is left out" test "$(grep -c 'in full' recorded.err)" = 0
"$RECUT" replay trace >replayed 2>&1
ok "functions of headers: a wrong result replays" cmp recorded replayed

# Every result of tiny programs, as found by trying all orders of their steps.
"$RECUT_CC" -w -g -O1 -o tiny "$programs/threads_outcomes.c" || exit 1
most=600
for name in counter counter3 locked exchange message torn half; do
	./tiny $name all >reachable
	: >found
	missing=$(wc -l <reachable) wrong=
	for ((seed = 1; seed <= most && missing > 0; seed++)); do
		rm -rf trace
		"$RECUT" record -q --chaos=$seed -o trace ./tiny $name >recorded 2>&1
		grep -qxF -f recorded found && continue
		grep -qxF -f recorded reachable || wrong="seed $seed: $(cat recorded): cannot be"
		"$RECUT" replay trace >replayed 2>&1
		cmp -s recorded replayed || wrong="seed $seed: replayed $(cat replayed)"
		cat recorded >>found
		missing=$((missing - 1))
	done
	echo "$wrong; $missing of $(wc -l <reachable) not found in $most" >.out
	if [ -z "$wrong" ] && [ $missing = 0 ]; then
		pass "$name: all $(wc -l <reachable) outcomes, by seed $((seed - 1))"
	else
		fail "$name: all outcomes" <.out
	fi
done

# The same seed does the same.
for ((i = 1; i <= 5; i++)); do
	rm -rf trace
	"$RECUT" record -q --chaos=77 -o trace ./racy counter
done >results 2>&1
same "one seed, one result" "$(sort -u results | wc -l)" 1

# A thread whose log cannot be made ends the recording, not the program.  How many descriptors
# are too few depends on who runs this.
for few in 6 7 8 9 10 11 12; do
	rm -rf ended
	(ulimit -n $few && timeout 300 "$RECUT" record --threads=serial -o ended ./racy counter) >.out 2>&1
	status=$?
	! grep -q "recording ends here: pthread_create" .out || break
done
same "without room for the log of a thread the program runs on" "$status" 0
like "and that is told" "$(cat .out)" "*recording ends here: pthread_create: Too many open files*of 60000*"

for wrong in --threads=parallel --chaos=0 --chaos=x; do
	"$RECUT" record $wrong ./racy >.out 2>&1
	same "$wrong is refused" "$?" 2
done
finish
