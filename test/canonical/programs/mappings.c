/* mmap and its relatives: anonymous, of files, shared with a child, remapped,
 * protected, at a fixed place; sbrk; System V shared memory; exhausted limits. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page = 4096 };
static char *map(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
    char *a = map(10 * page), *b = map(page);
    memset(a, 1, 10 * page);
    printf("%d\n", b[0]);
    printf("%d\n", munmap(a + 3 * page, page));
    a[2 * page] = 5, a[4 * page] = 6;
    char *grown = mremap(a + 4 * page, 6 * page, 60 * page, MREMAP_MAYMOVE);
    printf("%d %d\n", grown[0], grown[59 * page]);
    char *shrunk = mremap(grown, 60 * page, 2 * page, 0);
    printf("%d %d\n", shrunk == grown, shrunk[page]);
    printf("%d\n", mprotect(shrunk, page, PROT_READ));
    munmap(shrunk, 2 * page), munmap(a, 3 * page), munmap(b, page);

    FILE *f = tmpfile();
    int fd = fileno(f);
    fputs("contents of a file", f);
    fflush(f);
    char *file = mmap(NULL, 18, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    file[0] = 'C';
    msync(file, 18, MS_SYNC);
    char back[19] = "";
    printf("%zd %s\n", pread(fd, back, 18, 0), back);
    printf("%d\n", ftruncate(fd, 3 * page));
    char *second = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 2 * page);
    printf("%d\n", second[0]);
    munmap(file, 18), munmap(second, page);

    int *shared = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        *shared = 77;
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    printf("%d\n", *shared);
    munmap(shared, page);

    char *place = map(4 * page);
    char *fixed = mmap(place + page, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("%d\n", fixed == place + page);
    munmap(place, 4 * page);
    char *low = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    printf("%d\n", (uintptr_t)low < 1ull << 32);

    long in_use = 0;
    static char *all[500];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 500; i++)
            if (!all[i])
                all[i] = map((size_t)(i % 7 + 1) * page), all[i][0] = (char)i;
        for (int i = round % 3; i < 500; i += 3) {
            in_use += all[i][0] == (char)i;
            munmap(all[i], (size_t)(i % 7 + 1) * page);
            all[i] = NULL;
        }
    }
    printf("%ld\n", in_use);

    char *brk0 = sbrk(0), *got = sbrk(100000);
    printf("%d %d\n", got == brk0, (char *)sbrk(0) - brk0 == 100000);
    memset(got, 3, 100000);
    sbrk(-50000);
    printf("%d %d\n", got[49999], (char *)sbrk(0) - brk0 == 50000);
    printf("%d\n", brk(brk0));
    got = sbrk(8192);
    printf("%d\n", got[0] + got[8191]);

    int id = shmget(IPC_PRIVATE, 10000, IPC_CREAT | 0600);
    if (id >= 0) {
        int *s = shmat(id, NULL, 0);
        s[1] = 6;
        int *t = shmat(id, NULL, SHM_RDONLY);
        printf("%d %d\n", t[1], s != t);
        shmdt(s), shmdt(t);
        shmctl(id, IPC_RMID, NULL);
    }
    errno = 0;
    printf("%d %d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, errno == EINVAL);
    printf("%d %d\n", mmap(NULL, 1ull << 60, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, errno == ENOMEM);
    printf("%d %d\n", munmap((void *)1, page), errno == EINVAL);
    return 0;
}
