/* Memory from the system: anonymous, of files, of segments, brk. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

static void anonymous(void) {
    char *a = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    strcpy(a, "private");
    strcpy(a + 50000, "deep inside");
    strcpy(b, "shared");
    printf("%s %s\n", a, b);
    a = mremap(a, 100000, 500000, MREMAP_MAYMOVE);
    printf("grown %s %s\n", a, a + 50000);
    printf("protect %d\n", mprotect(a + 4096, 4096, PROT_NONE));
    printf("unmap %d\n", munmap(a + 200704, 4096));
    printf("fixed %d\n", mmap(a + 200704, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                              -1, 0) == (void *)(a + 200704));
    printf("drop %d", madvise(a + 49152, 4096, MADV_DONTNEED));
    printf(" <%s>\n", a + 50000);
    unsigned char pages[4] = {9, 9, 9, 9};
    printf("mincore %d", mincore(a, 4096, pages));
    printf(" %d %d\n", pages[0] & 1, pages[1]);
    errno = 0;
    void *none = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("nothing %d %s\n", none == MAP_FAILED, strerror(errno));
    errno = 0;
    none = mmap(NULL, 1UL << 50, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("too much %d %s\n", none == MAP_FAILED, strerror(errno));
    char *hint = mmap((void *)0x7f0000000000, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(hint, "near a hint");
    puts(hint);
    char *spot = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(spot, 12288);
    char *middle =
        mmap(spot + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("at a hint %d\n", middle == spot + 4096);
    char *big = mmap(NULL, 4UL << 30, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    strcpy(big + (3UL << 30), "far out");
    puts(big + (3UL << 30));
    printf("lock %d\n", mlock(b, 4096));
}

static void files(void) {
    int fd = open("mapped", O_RDWR | O_CREAT, 0600);
    char text[6000];
    memset(text, 'm', sizeof text);
    memcpy(text, "beginning", 9);
    memcpy(text + 4096, "second page", 12);
    printf("write %zd\n", write(fd, text, sizeof text));
    char *copy = mmap(NULL, 6000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    char *other = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 4096);
    char *common = mmap(NULL, 6000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    printf("%.9s %s %.9s %d\n", copy, other, common, copy[6001]);
    memcpy(copy, "BEGINNING", 9);
    memcpy(common + 100, "to the file", 12);
    printf("msync %d\n", msync(common, 6000, MS_SYNC));
    char back[12] = "";
    printf("pread %zd", pread(fd, back, sizeof back, 100));
    printf(" %s %.9s\n", back, copy);
    char *grown =
        mremap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0), 4096, 8192, MREMAP_MAYMOVE);
    printf("grown %.9s %s\n", grown, grown + 4096);
    char *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    both = mremap(both, 4096, 8192, MREMAP_MAYMOVE);
    printf("grown %.9s %s\n", both, both + 4096);
    printf("unmap %d %d\n", munmap(copy, 6000), munmap(common, 6000));
    errno = 0;
    copy = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 999, 0);
    printf("bad %d %s\n", copy == MAP_FAILED, strerror(errno));
    int zero = open("/dev/zero", O_RDWR);
    char *zeros = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    zeros[5000] = 'z';
    printf("zeros %d %c\n", zeros[0], zeros[5000]);
    int memory = memfd_create("memory", 0);
    printf("truncate %d\n", ftruncate(memory, 10000));
    char *shared = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    strcpy(shared + 9000, "in a memfd");
    puts(shared + 9000);
}

static void segments(void) {
    int id = shmget(IPC_PRIVATE, 5000, 0600);
    if (id < 0)
        return;
    char *segment = shmat(id, NULL, 0);
    strcpy(segment + 10, "in a segment");
    char *again = shmat(id, NULL, SHM_RDONLY);
    puts(again + 10);
    printf("detach %d\n", shmdt(again));
    again = shmat(id, NULL, 0);
    printf("%s %d\n", again + 10, shmctl(id, IPC_RMID, NULL));
    printf("in its own place %d\n", shmat(id, again, SHM_REMAP) == again);
    printf("detach %d %d\n", shmdt(again), shmdt(segment));
    errno = 0;
    again = shmat(id, NULL, 0);
    printf("gone %d %d\n", again == (void *)-1, errno == EINVAL || errno == EIDRM);
}

int main(void) {
    char *end = sbrk(0);
    char *more = sbrk(10000);
    strcpy(more + 5000, "behind the break");
    printf("%d %s\n", end == more, more + 5000);
    anonymous();
    files();
    segments();
    printf("brk %d %s\n", brk(end + 20000), more + 5000);
    return 0;
}
