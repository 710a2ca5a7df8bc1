/* Weak functions: of one that is there a call is recorded like any other, in every variant. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

extern int clock_gettime(clockid_t, struct timespec *) __attribute__((weak));
extern pid_t getppid(void) __attribute__((weak));
extern int nobody_has_this(int) __attribute__((weak));

int main(void) {
    struct timespec now = {0};
    int (*get)(clockid_t, struct timespec *) = clock_gettime;
    for (int i = 0; i < 3; i++) {
        if (clock_gettime)
            clock_gettime(CLOCK_REALTIME, &now);
        printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    }
    printf("%d %d %d\n", get != NULL, nobody_has_this ? nobody_has_this(1) : -1,
           getppid ? (int)getppid() : -1);
    return 0;
}
