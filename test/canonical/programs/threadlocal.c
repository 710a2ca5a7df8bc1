/* Thread-locals: initialised and not, over-aligned, arrays, structs with
 * pointers, static in functions, external across files, a thousand threads. */
/* sources: threadlocal.c parts/threadlocal_other.c */
/* flags: -pthread */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern _Thread_local int other_counter;
extern _Thread_local char other_buffer[3000];
int other_bump(void);
int *other_address(void);

_Thread_local int initialised = 42, zero;
static _Thread_local char one = 'x';
static _Thread_local _Alignas(64) char aligned[100] = "aligned";
static _Thread_local _Alignas(4096) struct { int a; char b[5000]; } page = {7, "page"};
static int global = 5;
static _Thread_local struct { int *pointer; const char *text; double d; } mixed = {&global, "text", 2.5};
static _Thread_local long double ld = 1.25L;
static __thread int gnu_style[50] = {[49] = 9};

static int next_number(void) {
    static _Thread_local int n = 100;
    return ++n;
}

static int check(void) {
    int s = initialised == 42 && zero == 0 && one == 'x' && !strcmp(aligned, "aligned") && page.a == 7 &&
            !strcmp(page.b, "page") && mixed.pointer == &global && !strcmp(mixed.text, "text") &&
            mixed.d == 2.5 && ld == 1.25L && gnu_style[49] == 9 && gnu_style[0] == 0;
    s = s && (uintptr_t)aligned % 64 == 0 && (uintptr_t)&page % 4096 == 0;
    s = s && other_counter == 1000 && other_buffer[0] == 0;
    return s;
}

static void *thread(void *argument) {
    int n = (int)(intptr_t)argument, good = check();
    for (int i = 0; i < n % 7; i++) {
        initialised++, zero++, one++;
        next_number();
        other_bump();
    }
    memset(aligned, n, sizeof aligned);
    memset(page.b, n, sizeof page.b);
    memset(other_buffer, n, sizeof other_buffer);
    gnu_style[n % 50] = n;
    mixed.text = NULL;
    good &= other_address() == &other_counter;
    good &= initialised == 42 + n % 7 && zero == n % 7 && next_number() == 101 + n % 7;
    good &= other_counter == 1000 + n % 7 && other_buffer[2999] == (char)n;
    return (void *)(intptr_t)good;
}

int main(void) {
    printf("%d\n", check());
    zero = 77, initialised = 78;
    int good = 0;
    enum { at_once = 50, rounds = 20 };
    for (int round = 0; round < rounds; round++) {
        pthread_t threads[at_once];
        for (int i = 0; i < at_once; i++)
            if (pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)(round * at_once + i)))
                return 2;
        for (int i = 0; i < at_once; i++) {
            void *result;
            pthread_join(threads[i], &result);
            good += (int)(intptr_t)result;
        }
    }
    printf("%d %d %d %d %d\n", good, zero, initialised, next_number(), other_bump());
    return 0;
}
