/* Memory that other processes write while it is read: a file mapped to be read and
 * one mapped to be written, anonymous memory of a child, a System V segment.  What
 * is read is printed: two runs differ. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct board {
    volatile unsigned ticks;
    atomic_uint turns;
    unsigned long noise[8];
    char text[2][64];
};

static unsigned long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long)time.tv_nsec * 2654435761u;
}

/* The other side: writes for as long as somebody is there. */
static int scribble(struct board *board) {
    for (unsigned i = 1; i < 2000000 && !(board->turns & 0x80000000u); i++) {
        for (unsigned k = 0; k < 8; k++)
            board->noise[k] = now() + k;
        snprintf(board->text[i & 1], sizeof board->text[0], "tick %u of %lu", i, now());
        board->ticks = i;
        atomic_fetch_add(&board->turns, 1);
        if (i % 64 == 0)
            sched_yield();
    }
    return 0;
}

static void wait_for(const struct board *board, unsigned ticks) {
    unsigned start = board->ticks;
    for (unsigned i = 0; board->ticks - start < ticks && i < 20000; i++)
        usleep(100);
}

static unsigned long sum(const unsigned long *numbers, unsigned count) {
    unsigned long total = 0;
    for (unsigned i = 0; i < count; i++)
        total = total * 31 + numbers[i];
    return total;
}

static void look(const char *name, const struct board *board, atomic_uint *turns) {
    unsigned long copy[8];
    char word[64];
    for (unsigned round = 1; round <= 3; round++) {
        wait_for(board, 100);
        memcpy(copy, board->noise, sizeof copy);
        strncpy(word, board->text[round & 1], sizeof word - 1);
        word[63] = 0;
        printf("%s: %lx %lx %zu %d %d\n", name, sum(copy, 8), sum(board->noise, 8),
               strlen(board->text[0]), strcmp(board->text[0], board->text[1]) > 0,
               strchr(board->text[1], 'o') ? 1 : 0);
        printf("%s: %s|%s\n", name, word, board->text[0]);
        if (turns) {
            unsigned before = atomic_fetch_add(turns, 7), expected = before + 7;
            printf("%s: %u %d %u\n", name, before,
                   atomic_compare_exchange_strong(turns, &expected, 5), expected);
        }
    }
}

static void end(struct board *board) { atomic_fetch_or(&board->turns, 0x80000000u); }

static struct board *map(const char *path, int protection) {
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 4096) != 0)
        exit(1);
    void *at = mmap(NULL, 4096, protection, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

int main(int argc, char **argv) {
    if (argc == 3)
        return scribble(map(argv[2], PROT_READ | PROT_WRITE));
    struct board *read_only = map(argv[1], PROT_READ);
    struct board *writable = map(argv[1], PROT_READ | PROT_WRITE);
    if (!read_only || !writable)
        return 1;
    look("read", read_only, NULL);
    look("written", writable, &writable->turns);
    end(writable);

    struct board *anonymous =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(scribble(anonymous));
    look("child", anonymous, &anonymous->turns);
    end(anonymous);
    waitpid(child, NULL, 0);

    int id = shmget(IPC_PRIVATE, sizeof(struct board), IPC_CREAT | 0600);
    struct board *segment = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
    if (segment == (void *)-1)
        return 1;
    child = fork();
    if (child == 0)
        _exit(scribble(segment));
    look("segment", segment, &segment->turns);
    end(segment);
    waitpid(child, NULL, 0);
    return shmdt(segment);
}
