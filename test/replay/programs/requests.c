/* fcntl, ioctl, prctl, syscall and the System V *ctl functions, by request. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void descriptors(void) {
    int fd = open("data", O_RDWR | O_CREAT, 0600);
    printf("written %zd\n", write(fd, "0123456789", 10));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2, .l_len = 3};
    printf("getlk %d type %d\n", fcntl(fd, F_GETLK, &lock), lock.l_type);
    lock.l_type = F_WRLCK;
    printf("setlk %d\n", fcntl(fd, F_SETLK, &lock));
    struct f_owner_ex owner = {.type = 7, .pid = 7};
    fcntl(fd, F_SETOWN, getpid());
    printf("owner %d: %d %d\n", fcntl(fd, F_GETOWN_EX, &owner), owner.type, owner.pid == getpid());
    printf("flags %d fd %d\n", (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR, fcntl(fd, F_GETFD));
    int copy = fcntl(1, F_DUPFD, 20);
    printf("write to the copy %zd\n", write(copy, "again\n", 6));
    close(copy);
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 20);
    printf("write to a copy of a file %zd\n", write(copy, "hidden\n", 7));
    errno = 0;
    int bad = fcntl(99, F_GETFD);
    printf("bad %d %s\n", bad, strerror(errno));
    int waiting = 7;
    int pipes[2];
    if (pipe(pipes) != 0)
        return;
    printf("pipe %zd\n", write(pipes[1], "abc", 3));
    printf("fionread %d %d\n", ioctl(pipes[0], FIONREAD, &waiting), waiting);
    int yes = 1;
    printf("fionbio %d\n", ioctl(pipes[0], FIONBIO, &yes));
    printf("fioclex %d\n", ioctl(pipes[0], FIOCLEX));
    struct winsize size = {1, 2, 3, 4};
    int result = ioctl(pipes[0], TIOCGWINSZ, &size);
    printf("winsize %d %s %d\n", result, strerror(errno), size.ws_row);
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master >= 0) {
        size = (struct winsize){40, 100, 0, 0};
        printf("set %d\n", ioctl(master, TIOCSWINSZ, &size));
        size = (struct winsize){0};
        printf("get %d", ioctl(master, TIOCGWINSZ, &size));
        printf(" %d %d\n", size.ws_row, size.ws_col);
        unsigned number = 77;
        printf("ptn %d\n", ioctl(master, TIOCGPTN, &number));
    }
}

static void interfaces(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq list[16] = {0};
    struct ifconf conf = {.ifc_len = sizeof list, .ifc_req = list};
    printf("ifconf %d", ioctl(fd, SIOCGIFCONF, &conf));
    printf(" %d %s\n", conf.ifc_len >= (int)sizeof *list, list[0].ifr_name);
    struct ifreq request = {.ifr_name = "lo"};
    printf("flags %d", ioctl(fd, SIOCGIFFLAGS, &request));
    printf(" %d\n", (request.ifr_flags & IFF_LOOPBACK) != 0);
    printf("index %d", ioctl(fd, SIOCGIFINDEX, &request));
    printf(" %d\n", request.ifr_ifindex);
}

static void calls(void) {
    char name[32] = "";
    prctl(PR_SET_NAME, "renamed", 0, 0, 0);
    printf("prctl %d %s\n", prctl(PR_GET_NAME, name, 0, 0, 0), name);
    printf("dumpable %d\n", prctl(PR_GET_DUMPABLE));
    printf("tid %d\n", syscall(SYS_gettid) == getpid());
    unsigned char random[8] = {0};
    printf("random %ld\n", syscall(SYS_getrandom, random, sizeof random, 0));
    struct timespec now = {0}, later = {0};
    printf("clock %ld %ld\n", syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now),
           syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &later));
    printf("order %d\n", later.tv_sec > now.tv_sec ||
                             (later.tv_sec == now.tv_sec && later.tv_nsec >= now.tv_nsec));
    fflush(stdout);
    printf("write %ld\n", syscall(SYS_write, 1, "by number\n", 10));
    struct stat status = {0};
    printf("fstat %ld %ld\n", syscall(SYS_fstat, 99, &status), (long)status.st_size);
    int fd = (int)syscall(SYS_memfd_create, "x", 0);
    printf("memfd %d\n", fd > 2);
}

static void shared(void) {
    int set = semget(IPC_PRIVATE, 3, 0600);
    if (set < 0) {
        puts("no semaphores");
        return;
    }
    unsigned short values[4] = {5, 6, 7, 99}, got[4] = {0, 0, 0, 42};
    printf("setall %d\n", semctl(set, 0, SETALL, values));
    printf("getall %d", semctl(set, 0, GETALL, got));
    printf(" %d %d %d %d\n", got[0], got[1], got[2], got[3]);
    printf("setval %d\n", semctl(set, 1, SETVAL, 3));
    printf("getval %d\n", semctl(set, 1, GETVAL));
    struct semid_ds status = {0};
    printf("stat %d", semctl(set, 0, IPC_STAT, &status));
    printf(" %lu\n", status.sem_nsems);
    printf("rmid %d\n", semctl(set, 0, IPC_RMID));
    int queue = msgget(IPC_PRIVATE, 0600);
    struct msqid_ds info = {0};
    printf("msgctl %d", msgctl(queue, IPC_STAT, &info));
    printf(" %d\n", info.msg_qbytes > 0);
    struct message {
        long type;
        char text[16];
    } out = {3, "message"}, in = {0};
    printf("msgsnd %d\n", msgsnd(queue, &out, sizeof out.text, 0));
    printf("msgrcv %zd", msgrcv(queue, &in, sizeof in.text, 0, 0));
    printf(" %ld %s\n", in.type, in.text);
    printf("rmid %d\n", msgctl(queue, IPC_RMID, NULL));
    int memory = shmget(IPC_PRIVATE, 5000, 0600);
    struct shmid_ds segment = {0};
    printf("shmctl %d", shmctl(memory, IPC_STAT, &segment));
    printf(" %zu\n", segment.shm_segsz);
    printf("rmid %d\n", shmctl(memory, IPC_RMID, NULL));
}

int main(void) {
    descriptors();
    interfaces();
    calls();
    shared();
    return 7;
}
