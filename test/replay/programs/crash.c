/* Dies in the way that its argument names. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile int zero;
static int *volatile nowhere;

static int by_null(void) { return *nowhere; }
static int by_division(void) { return 100 / zero; }
static int by_string(void) { return (int)strlen((char *)(size_t)(8 + zero)); }

__attribute__((noinline)) static int by_recursion(int depth) {
    volatile char frame[1000];
    frame[depth % 1000] = (char)depth;
    return by_recursion(depth + 1) + frame[0];
}

static int by_assertion(void) {
    assert(zero != 0 && "zero is not zero");
    return 0;
}

static int by_free(void) {
    char *volatile block = malloc(10);
    free(block);
    free(block);
    return 0;
}

static int by_wild_call(void) {
    int (*function)(void) = (int (*)(void))(size_t)(16 + zero);
    return function();
}

static int in_library(void) {
    FILE *stream = (FILE *)(size_t)(0x1000 + zero);
    return fputs("never", stream);
}

static int by_bus(void) {
    char name[] = "crash.XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    char *memory = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    return memory[4096];
}

/* A file that becomes shorter while it is mapped. */
static int by_truncation(void) {
    char name[] = "crash.XXXXXX", block[8192];
    int fd = mkstemp(name), sum = 0;
    unlink(name);
    memset(block, 'x', sizeof block);
    if (write(fd, block, sizeof block) < 0)
        return 1;
    char *memory = mmap(NULL, sizeof block, PROT_READ, MAP_PRIVATE, fd, 0);
    sum += memory[5000];
    if (ftruncate(fd, 100) != 0)
        return 1;
    for (size_t i = 0; i < sizeof block; i++)
        sum += memory[i];
    return sum;
}

static void on_abort(int number) {
    const char text[] = "handled\n";
    if (write(2, text, sizeof text - 1) < 0 || number != SIGABRT)
        _exit(9);
    _exit(5);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    srand((unsigned)time(NULL));
    printf("before: %d\n", rand());
    fprintf(stderr, "errors before\n");
    fflush(stdout);
    printf("this stays in the buffer\n");
    if (!strcmp(how, "null"))
        return by_null();
    if (!strcmp(how, "division"))
        return by_division();
    if (!strcmp(how, "string"))
        return by_string();
    if (!strcmp(how, "recursion"))
        return by_recursion(argc);
    if (!strcmp(how, "assertion"))
        return by_assertion();
    if (!strcmp(how, "free"))
        return by_free();
    if (!strcmp(how, "call"))
        return by_wild_call();
    if (!strcmp(how, "library"))
        return in_library();
    if (!strcmp(how, "bus"))
        return by_bus();
    if (!strcmp(how, "truncation"))
        return by_truncation();
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "handled")) {
        signal(SIGABRT, on_abort);
        abort();
    }
    if (!strcmp(how, "raise"))
        raise(SIGTERM);
    _exit(3);
}
