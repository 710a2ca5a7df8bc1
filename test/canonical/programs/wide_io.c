/* Standard I/O and text in all directions with locals as buffers. */
#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
    setlocale(LC_ALL, "C");
    char a[100], b[100], *end, *save = NULL;
    for (char *t = strtok_r(strcpy(a, "one,two;three"), ",;", &save); t; t = strtok_r(NULL, ",;", &save))
        printf("%s ", t);
    printf("%ld %s\n", strtol("12abc", &end, 10), end);
    double d, whole;
    int exponent;
    d = modf(3.75, &whole);
    printf("%g %g %g %d\n", d, whole, frexp(10.0, &exponent), exponent);
    int pipes[2];
    if (pipe(pipes))
        return 1;
    struct iovec out[2] = {{"hello ", 6}, {"world", 5}}, in[2] = {{a, 4}, {b, 50}};
    printf("%zd %zd\n", writev(pipes[1], out, 2), readv(pipes[0], in, 2));
    printf("%.4s|%.7s\n", a, b);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes[0], &set);
    struct timeval none = {0, 0};
    printf("%d\n", select(pipes[0] + 1, &set, NULL, NULL, &none));
    int pair[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    struct iovec v = {"datagram", 8};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    sendmsg(pair[0], &m, 0);
    printf("%zd\n", recv(pair[1], a, sizeof a, 0));
    struct tm tm = {.tm_year = 100, .tm_mon = 0, .tm_mday = 1, .tm_hour = 12};
    time_t t = timegm(&tm);
    struct tm *g = gmtime(&t);
    strftime(a, sizeof a, "%Y-%m-%d %A", g);
    puts(a);
    wchar_t w[20];
    mbstowcs(w, "wide", 20);
    swprintf(w + 4, 10, L"%d", 5);
    printf("%ls %zu\n", w, wcslen(w));
    int counts[26] = {0};
    for (const char *p = "the quick brown fox jumps over the lazy dog"; *p; p++)
        if (isalpha((unsigned char)*p))
            counts[toupper((unsigned char)*p) - 'A']++;
    for (int i = 0; i < 26; i++)
        putchar('0' + counts[i]);
    putchar('\n');
    printf("%" PRId64 " %zu %hhd %a\n", INT64_MIN, sizeof a, (char)300, 1.0);
    int n = 0;
    printf("abc%n\n", &n);
    printf("%d\n", n);
    div_t q = div(17, 5);
    printf("%d %d\n", q.quot, q.rem);
    return 0;
}
