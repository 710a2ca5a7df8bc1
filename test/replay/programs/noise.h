/* Questions to the environment, for programs that csmith generates. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static unsigned long noise_stream(void) {
    static FILE *file;
    unsigned long value = 0;
    if (!file)
        file = fopen("/dev/urandom", "r");
    return file && fread(&value, sizeof value, 1, file) == 1 ? value + (unsigned)getc(file) : 0;
}

static unsigned long noise_text(void) {
    char text[64], *end;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(text, sizeof text, "%ld.%09ld", (long)now.tv_sec, now.tv_nsec);
    char *copy = strdup(text);
    unsigned long value = strtoul(copy, &end, 10) + strtoul(end + 1, NULL, 10);
    free(copy);
    return value;
}

static unsigned long noise_file(void) {
    unsigned char bytes[16];
    struct stat st;
    unsigned long value = 0;
    int fd = open("/proc/self/stat", O_RDONLY);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; i++)
        value = value * 31 + bytes[i];
    if (fd >= 0 && fstat(fd, &st) == 0)
        value += (unsigned long)st.st_ino;
    close(fd);
    return value + (open("/nonexistent", O_RDONLY) < 0 ? (unsigned long)errno : 0);
}

static unsigned long noise(void) {
    static unsigned turn;
    unsigned long value = 0;
    struct timeval now;
    if (turn > 2000) /* programs that ask for ever test nothing more */
        return turn;
    switch (turn++ % 7) {
    case 0:
        return noise_stream();
    case 1:
        return noise_text();
    case 2:
        return noise_file();
    case 3:
        return getrandom(&value, sizeof value, 0) > 0 ? value : 1;
    case 4:
        gettimeofday(&now, NULL);
        return (unsigned long)now.tv_usec;
    case 5:
        printf("noise %u\n", turn);
        return (unsigned long)getpid() ^ (unsigned long)clock();
    default:
        return (unsigned long)time(NULL) + (unsigned long)rand();
    }
}

static void noise_mix(void) {
    static unsigned long sum;
    sum = sum * 31 + noise();
    if (sum % 64 == 0)
        fprintf(stderr, "sum %lu\n", sum);
}
