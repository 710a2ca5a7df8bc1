/* Threads that print, read, and talk to each other through the kernel. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int forth[2], back[2];
static unsigned long passed; /* given from hand to hand with what goes through the pipes */

static void *ping(void *argument) {
    for (unsigned i = 0; i < 500; i++) {
        char byte = (char)i;
        passed = passed * 31 + i;
        if (write(forth[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            return NULL;
        passed += (unsigned char)byte;
    }
    return argument;
}

static void *pong(void *argument) {
    for (unsigned i = 0; i < 500; i++) {
        char byte;
        if (read(forth[0], &byte, 1) != 1)
            return NULL;
        passed = passed * 17 + (unsigned char)byte;
        byte = (char)(byte + 1);
        if (write(back[1], &byte, 1) != 1)
            return NULL;
    }
    return argument;
}

static FILE *common;

static void *print(void *argument) {
    for (unsigned i = 0; i < 50; i++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%s: %u at %ld, %d\n", (char *)argument, i, now.tv_nsec, rand());
        fprintf(common, "%s %u\n", (char *)argument, i);
        if (i % 10 == 0)
            fflush(common);
        void *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (i % 16 == 0)
            printf("%s: %p\n", (char *)argument, map);
        if (i % 3)
            munmap(map, 8192);
    }
    return NULL;
}

static void *read_lines(void *argument) {
    char line[64];
    unsigned count = 0, sum = 0;
    while (fgets(line, sizeof line, argument)) {
        count++;
        for (char *at = line; *at; at++)
            sum = sum * 31 + (unsigned char)*at;
    }
    printf("read %u lines: %x\n", count, sum);
    return NULL;
}

/* More than a pipe holds: the writer waits for the reader. */
static void *write_lines(void *argument) {
    for (unsigned i = 0; i < 20000; i++)
        fprintf(argument, "line %u of a pipe\n", i);
    fclose(argument);
    return NULL;
}

static int bell;

static void *wait_for_bell(void *argument) {
    struct pollfd poll_for = {.fd = bell, .events = POLLIN};
    unsigned long sum = 0;
    for (unsigned i = 0; i < 20; i++) {
        unsigned long got;
        if (poll(&poll_for, 1, 5) == 1 && read(bell, &got, 8) == 8)
            sum = sum * 31 + got;
    }
    printf("bell: %lu\n", sum);
    return argument;
}

static void *ring(void *argument) {
    for (unsigned long i = 1; i <= 10; i++) {
        usleep(1000);
        if (write(bell, &i, 8) != 8)
            return NULL;
    }
    return argument;
}

static void both(void *(*first)(void *), void *one, void *(*second)(void *), void *other) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, one);
    pthread_create(&b, NULL, second, other);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void) {
    if (pipe(forth) != 0 || pipe(back) != 0)
        return 1;
    both(ping, NULL, pong, NULL);
    printf("passed %lx\n", passed);
    common = fopen("common", "w+");
    both(print, "one", print, "two");
    rewind(common);
    both(read_lines, common, read_lines, common);
    fclose(common);
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    both(write_lines, fdopen(ends[1], "w"), read_lines, fdopen(ends[0], "r"));
    bell = eventfd(0, 0);
    both(wait_for_bell, NULL, ring, NULL);
    return 0;
}
