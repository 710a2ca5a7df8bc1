/* Asks its environment for many small things, in many ways, and tells the sum. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    unsigned long sum = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    int noise = open("/dev/urandom", O_RDONLY);
    for (unsigned i = 0; i < 100000000; i++) {
        unsigned char bytes[97];
        size_t want = 1 + i % sizeof bytes;
        if (read(noise, bytes, want) != (ssize_t)want)
            return 1;
        for (size_t k = 0; k < want; k++)
            sum = sum * 31 + bytes[k];
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        sum += (unsigned long)now.tv_nsec;
        struct stat st;
        if (i % 7 == 0 && stat("/", &st) == 0)
            sum ^= (unsigned long)st.st_ino;
        if (i % 5 == 0) {
            char *copy = strdup("a string");
            sum += strlen(copy) + (unsigned long)getpid();
            free(copy);
        }
        if (i % 50 == 0) {
            char line[64];
            int length = snprintf(line, sizeof line, "%u %lu\n", i, sum);
            if (write(1, line, (size_t)length) != length)
                return 2;
        }
        if (i % 1000 == 0)
            printf("stdio %u\n", i);
    }
    return 0;
}
