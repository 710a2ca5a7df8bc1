/* What is written behind call_once() comes too late for what that has run. */
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int level;
static int setting;

static void initialise(void) {
    setting = level;                                       /* keep */
}

static int use(void *unused) {
    (void)unused;
    call_once(&once, initialise);                          /* keep */
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    thrd_t user;
    level = argc + 4;                                      /* keep */
    thrd_create(&user, use, NULL);                         /* keep */
    call_once(&once, initialise);                          /* keep */
    level = argc + 9;                                      /* drop */
    thrd_join(user, NULL);
    printf("slice: %d\n", setting);                        /* slice: setting */
    return level;
}
