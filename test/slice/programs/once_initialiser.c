/* pthread_once calls the function that sets what the thread reads. */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int seed;
static int setting;
static int remark;
static int result;

static void initialise(void) {
    setting = seed + 5;                                    /* keep */
    remark = seed + 6;                                     /* drop */
}

static void *use(void *unused) {
    (void)unused;
    pthread_once(&once, initialise);                       /* keep */
    result = setting * 2;                                  /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t user;
    seed = argc + 1;                                       /* keep */
    pthread_create(&user, NULL, use, NULL);                /* keep */
    pthread_join(user, NULL);
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d\n", remark);                                /* drop */
    return 0;
}
