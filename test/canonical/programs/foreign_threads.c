/* Threads that the program did not create enter it: a timer's, and those of
 * asynchronous I/O and message notification. */
/* flags: -pthread -lrt */
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int ticks, bad, io;
static _Thread_local int mine = 3;

static int check(double a, double b, int depth) {
    char buffer[200];
    memset(buffer, depth, sizeof buffer);
    char *heap = strdup("heap");
    int good = !strcmp(heap, "heap") && a == 1.5 && b == 2.5 && (depth == 0 || check(a, b, depth - 1));
    free(heap);
    return good && buffer[199] == depth;
}

static void on_tick(union sigval value) {
    if (mine != 3 || value.sival_int != 7 || !check(1.5, 2.5, 5))
        bad++;
    mine++;
    ticks++;
}
static void on_io(union sigval value) { io += value.sival_int + check(1.5, 2.5, 2); }

int main(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_tick};
    event.sigev_value.sival_int = 7;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer))
        return 1;
    struct itimerspec often = {{0, 1000000}, {0, 1000000}}, never = {{0, 0}, {0, 0}};
    timer_settime(timer, 0, &often, NULL);
    while (ticks < 30)
        if (!check(1.5, 2.5, 3))
            return 2;
    timer_settime(timer, 0, &never, NULL);
    timer_delete(timer);
    usleep(20000);
    printf("%d %d\n", bad, mine);

    char text[] = "written in the background";
    FILE *f = tmpfile();
    struct aiocb request = {.aio_fildes = fileno(f), .aio_buf = text, .aio_nbytes = strlen(text)};
    request.aio_sigevent = (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_io};
    request.aio_sigevent.sigev_value.sival_int = 10;
    aio_write(&request);
    const struct aiocb *list[] = {&request};
    aio_suspend(list, 1, NULL);
    while (!io)
        usleep(1000);
    char back[100] = "";
    printf("%zd %zd %s %d\n", aio_return(&request), pread(fileno(f), back, 99, 0), back, io);
    return 0;
}
