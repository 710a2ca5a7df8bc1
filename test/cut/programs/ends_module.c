/* The part of ends.c that is recorded: it ends in every way there is, by a number. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int env_get(int how);
void env_exit(int status);
extern volatile int flag;
static int calls;

int mod_work(int how, char *text) {
    calls++;
    int v = env_get(how);
    switch (how) {
    case 1: {
        volatile int *p = (int *)(long)(v & 4);
        return *p;
    }
    case 2:
        return text[1 << 30];
    case 3:
        abort();
    case 4:
        assert(v == 12345);
        return 0;
    case 5:
        exit(v & 15);
    case 6:
        env_exit(v & 15);
        return 1;
    case 7:
        return mod_work(7, text) + v + text[0];
    case 8: /* it crashes in there */
        return env_get(how);
    case 11: /* a handler of environment ends it */
        for (int i = 0; i < 50000000 && !flag; i++)
            calls += i;
        return flag;
    }
    return v + calls;
}

void mod_end(void) { printf("%d calls, %d\n", calls, env_get(0)); }

void mod_handler(int number) { calls += number; }

int mod_log(char *to, const char *from) { return sprintf(to, "%s of %d calls", from, calls); }
