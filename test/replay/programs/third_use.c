/* Uses a library in all the ways that a recorder could miss. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "third.h"

static int number;
static int called;
static char all[256];
static jmp_buf out;

static int each(void *user, int code, const char *text) {
    int *sum = user;
    *sum += code;
    called++;
    strncat(all, text, sizeof all - strlen(all) - 1);
    printf("called back: %d %s\n", code, text);
    return code * 2;
}

/* Leaves the library by a jump. */
static int leave(void *user, int code, const char *text) {
    printf("leaving with %d %s\n", code, text);
    longjmp(*(jmp_buf *)user, 1 + (code & 7));
}

static void kept(void) {
    char *text = malloc(64);
    third_keep(&number, text, 64);
    for (int i = 0; i < 3; i++) {
        third_later();
        printf("number %d, text '%s', %zu bytes\n", number, text, strlen(text));
    }
    fwrite(text, 1, strlen(text), stdout);
    puts("");
    char *copy = strdup(text);
    printf("copy %s, %s\n", copy, strcmp(copy, text) == 0 ? "equal" : "different");
    free(copy);
    third_keep(&number, all, sizeof all);
    free(text);
}

/* Blocks change hands in both directions. */
static void hands(void) {
    for (int i = 0; i < 5; i++) {
        char *mine = malloc(100);
        snprintf(mine, 100, "mine %d", i);
        third_take(mine);
        char *given = third_give(i);
        printf("%s at a block of its own\n", given);
        if (i % 2)
            given = realloc(given, 500);
        printf("%s, still\n", given);
        free(given);
        printf("next block %p\n", malloc(100));
    }
}

/* A string of the library's goes through a list of arguments. */
static void tell(const char *format, ...) {
    char line[200];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(line, sizeof line, format, args);
    printf("%d: %s", length, line);
    vprintf(format, again);
    va_end(again);
    va_end(args);
}

static int many(int a, const char *b, int c, double d, int e, int f, int g, const char *h, long i) {
    printf("many %d %s %d %.1f %d %d %d %s %ld\n", a, b, c, d, e, f, g, h, i);
    return a + g;
}

/* Atomic operations on memory that the library owns and writes. */
static void atomics(void) {
    struct third_item *item = (struct third_item *)third_list();
    int expected = item->id;
    int old = __atomic_fetch_add(&item->id, 5, __ATOMIC_SEQ_CST);
    int done =
        __atomic_compare_exchange_n(&item->id, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    struct third_item *next = __atomic_exchange_n(&item->next, NULL, __ATOMIC_SEQ_CST);
    printf("atomic %d %d %d %d\n", old, done, expected, next ? next->id : 0);
}

static void deep(void) {
    struct third_deep next = {0}, first = {.numbers = calloc(3, sizeof(int)), .next = &next};
    third_deep(&first);
    for (int i = 0; i < first.count; i++)
        printf("%d ", first.numbers[i]);
    printf("%s %d\n", first.text, next.count);
    struct third_deep copied = first;
    printf("%d %s\n", copied.numbers[2], copied.text);
    free(first.numbers);
}

static int told(void *text, int code, const char *more) {
    printf("told: %s, %d, %s\n", (const char *)text, code, more);
    return code % 7;
}

/* Functions of the library that the program finds in memory. */
static void methods(void) {
    char text[40];
    struct third_object *object = third_object();
    for (int i = 0; i < 3; i++) {
        int code = object->methods->next(object, text, told);
        printf("%d %s %d %g\n", code, text, object->state, object->methods->mean(object, 3));
    }
    printf("%d %s\n", third_methods.next(object, text, told), third_methods.name(4));
    object->methods->end(object);
}

/* Only looks, at memory of the library. */
static int is_odd(const struct third_item *item) { return item->id % 2; }

/* A struct in memory of the library, by value. */
static __attribute__((noinline)) int weight(struct third_item item, int factor) {
    return factor * item.id + (item.next != NULL);
}

static const char *or_none(const char *text) { return text ? text : "none"; }

/* What the library does to them, and the program in between. */
static void variables(void) {
    extern char **environ;
    for (int round = 0; round < 4; round++) {
        third_variables(round);
        if (round == 1)
            setenv("MINE", or_none(getenv("THIRD_TIME")), 1);
        printf("%s, %s, %s, %s, %s\n", or_none(getenv("THIRD_TIME")),
               or_none(getenv("THIRD_OTHER")), or_none(getenv("LANGUAGE")), or_none(getenv("TERM")),
               or_none(getenv("MINE")));
        int ours = 0;
        for (char **at = environ; *at; at++)
            ours += strncmp(*at, "THIRD_", 6) == 0;
        printf("%d of its own\n", ours);
    }
}

int main(int argc, char **argv) {
    int sum = 0;
    unsigned char raw[32];
    kept();
    printf("each: %d\n", third_each(each, &sum));
    printf("first: %d\n", third_first(is_odd));
    printf("weights: %d %d\n", weight(*third_list(), 3), weight(*third_list()->next, 5));
    printf("sum %d, called %d, all %s\n", sum, called, all);
    for (const struct third_item *item = third_list(); item; item = item->next)
        printf("%d %s %zu\n", item->id, item->name, strlen(item->name));
    const char *name = third_name(5);
    char copy[40];
    strcpy(copy, name);
    const char *dash = strchr(name, '-');
    printf("%s: behind the dash %s, %d\n", copy, dash + 1, atoi(dash + 1));
    third_fill(raw, sizeof raw);
    unsigned hash = 0;
    for (size_t i = 0; i < sizeof raw; i++)
        hash = hash * 31 + raw[i];
    printf("filled %u %d\n", hash, memcmp(raw, raw + 3, 8) < 0);
    printf("%.0f\n", third_time(1.5));
    deep();
    hands();
    methods();
    atomics();
    tell("%d %s %5.1f %s %c\n", 1, third_name(2), 2.5, third_name(3), 'x');
    printf("%d\n", third_many(many));
    int code = setjmp(out);
    if (code == 0)
        third_each(leave, &out);
    printf("left with %d\n", code);
    puts(third_name(7));
    variables();
    FILE *file = fopen(argc > 1 ? argv[1] : "/nonexistent", "w");
    fprintf(file ? file : stderr, "%s %d\n", third_name(1), errno);
    return number & 63;
}
