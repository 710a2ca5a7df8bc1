#!/bin/bash
# A program with threads: the recording ends when the first one is made, and says so.
. "$(dirname "$0")/../lib/tap.sh"
cat >thread.c <<'END'
#include <pthread.h>
#include <stdio.h>
static void *run(void *argument) { puts("in the thread"); return argument; }
int main(void) {
    pthread_t thread;
    puts("before");
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    puts("after");
    return 3;
}
END
ok "a program with a thread builds" "$RECUT_CC" -o thread thread.c
exits "it runs on" 3 "$RECUT" record -o trace ./thread
like "and the recording says why it ends" "$(cat .out)" "*pthread_create: threads are not recorded yet*"
like "the program is not harmed" "$(cat .out)" "*before*in the thread*after*"
"$RECUT" replay trace >.out 2>&1
like "its replay ends there" "$(cat .out)" "*the recording ends here*threads are not recorded yet*"
finish
