/* musttail, noreturn, the cleanup attribute, statement expressions, compound
 * literals, static arrays, blocks of a switch with locals (Duff). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int finish(int *state, int n) { return n + *state; }
static int machine[3];
static int step_b(int *state, int n);
static int step_a(int *state, int n) {
    char scratch[100];
    memset(scratch, n, sizeof scratch);
    *state += scratch[50] & 1;
    if (n <= 0)
        __attribute__((musttail)) return finish(state, n);
    __attribute__((musttail)) return step_b(state, n - 1);
}
static int step_b(int *state, int n) {
    int local[10] = {n};
    memcpy(machine, local, sizeof machine);
    if (machine[0] <= 0)
        __attribute__((musttail)) return finish(state, n);
    __attribute__((musttail)) return step_a(state, n - 1);
}

struct big { long a[8]; };
static long use_big(struct big b, int n) { return b.a[n & 7]; }
static long tail_by_value(int n) {
    struct big b;
    for (int i = 0; i < 8; i++)
        b.a[i] = n * i;
    return use_big(b, n);
}

static int released;
static void release(char **p) { char note[30]; snprintf(note, sizeof note, "free %s", *p); puts(note); free(*p); released++; }
#define AUTO __attribute__((cleanup(release))) char *
static int scopes(int n) {
    AUTO a = strdup("a");
    for (int i = 0; i < n; i++) {
        AUTO b = strdup("b");
        if (i == 1)
            continue;
        AUTO c = strdup("c");
        if (i == 2)
            return released * 10 + (c[0] == 'c');
    }
    return -1;
}

static _Noreturn void leave(int code) {
    char text[20];
    snprintf(text, sizeof text, "leaving %d", code);
    puts(text);
    exit(code);
}

static void duff(char *to, const char *from, int n) {
    int rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--rounds > 0);
    }
}

static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }

int main(void) {
    int state = 0;
    printf("%d\n", step_a(&state, 1000000));
    long s = 0;
    for (int i = 0; i < 100000; i++)
        s += tail_by_value(i);
    printf("%ld\n", s);
    printf("%d\n", scopes(5));
    char to[20] = "", from[20] = "duff's device works";
    duff(to, from, 19);
    puts(to);
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    int m = ({ int t[3] = {4, 5, 6}; int *p = t; p[2]; });
    printf("%d\n", m);
    int *literal;
    for (int i = 0; i < 3; i++) {
        literal = (int[2]){i, i + 1};
        m += literal[1];
    }
    printf("%d %s\n", m, __func__);
    leave(23);
}
