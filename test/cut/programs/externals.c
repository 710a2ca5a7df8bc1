/* Functions of libc's that hand out memory of their own, or write by ways of their own: one by HOW.
 */
#define _GNU_SOURCE
#include <argz.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <ftw.h>
#include <getopt.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libgen.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <mntent.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static char buffer[400];
static int walked;
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int walk(const char *p, const struct stat *s, int f, struct FTW *w) {
    walked += (int)strlen(p) + w->level;
    return walked > 3000;
}
static volatile sig_atomic_t got;
static void handler(int n) { got += n; }
static int keep(const struct dirent *e) { return e->d_name[0] != '.'; }
__attribute__((noinline)) char *make(int n) {
    char *text = NULL;
    switch (HOW) {
    case 0: {
        DIR *d = opendir("/usr");
        struct dirent *e;
        while ((e = readdir(d)))
            if (e->d_name[0] == 's') {
                free(text);
                text = strdup(e->d_name);
            }
        closedir(d);
        break;
    }
    case 1: {
        struct passwd *p = getpwuid(0);
        text = strdup(p->pw_name);
        break;
    }
    case 2: {
        struct group *g = getgrgid(0);
        text = malloc(40);
        snprintf(text, 40, "%s %d", g->gr_name, g->gr_gid);
        break;
    }
    case 3: {
        regex_t r;
        regmatch_t m[2];
        regcomp(&r, "a(b+)", REG_EXTENDED);
        text = strdup("xxabbbbc");
        if (!regexec(&r, text, 2, m, 0))
            text[m[1].rm_eo] = 0;
        regfree(&r);
        break;
    }
    case 4: {
        char *p[] = {"/usr/include/net", NULL};
        FTS *f = fts_open(p, FTS_PHYSICAL, NULL);
        FTSENT *e;
        while ((e = fts_read(f))) {
            free(text);
            text = strdup(e->fts_path);
        }
        fts_close(f);
        break;
    }
    case 5: {
        walked = 0;
        nftw("/usr/include/net", walk, 10, 0);
        text = malloc(20);
        sprintf(text, "%d", walked);
        break;
    }
    case 6: {
        char *v[] = {"x", "-a", "--bee=7", "z", "-c", NULL};
        static struct option o[] = {{"bee", 1, 0, 'b'}, {0}};
        int c;
        optind = 1;
        text = calloc(1, 40);
        while ((c = getopt_long(5, v, "ac", o, NULL)) > 0) {
            strncat(text, (char *)&c, 1);
            if (optarg)
                strcat(text, optarg);
        }
        strcat(text, v[optind]);
        break;
    }
    case 7: {
        FILE *p = popen("echo hello; echo again", "r");
        text = malloc(64);
        text[0] = 0;
        while (fgets(buffer, 64, p))
            strcat(text, buffer);
        pclose(p);
        break;
    }
    case 8: {
        FILE *f = setmntent("/proc/mounts", "r");
        struct mntent *m = getmntent(f);
        text = strdup(m->mnt_dir);
        endmntent(f);
        break;
    }
    case 9: {
        iconv_t c = iconv_open("UTF-8", "LATIN1");
        char in[] = "caf\xe9", *i = in;
        size_t a = 4, b = 40;
        text = calloc(1, 40);
        char *o = text;
        iconv(c, &i, &a, &o, &b);
        iconv_close(c);
        break;
    }
    case 10: {
        void *h = dlopen("libm.so.6", RTLD_NOW);
        double (*f)(double) = (double (*)(double))dlsym(h, "cos");
        text = malloc(40);
        snprintf(text, 40, "%f", f(n));
        break;
    }
    case 11: {
        time_t t = time(NULL);
        struct tm *l = localtime(&t);
        text = malloc(60);
        strftime(text, 60, "%Y-%m-%d %H:%M %Z", l);
        break;
    }
    case 12: {
        struct utsname u;
        uname(&u);
        text = strdup(u.release);
        break;
    }
    case 13: {
        int v[2];
        socketpair(AF_UNIX, SOCK_STREAM, 0, v);
        struct iovec w[2] = {{"abc", 3}, {"defg", 4}};
        writev(v[0], w, 2);
        text = calloc(1, 40);
        struct iovec r[2] = {{text, 2}, {text + 2, 20}};
        struct msghdr m = {.msg_iov = r, .msg_iovlen = 2};
        recvmsg(v[1], &m, 0);
        close(v[0]);
        close(v[1]);
        break;
    }
    case 14: {
        int p[2];
        pipe(p);
        int e = epoll_create1(0);
        struct epoll_event x = {EPOLLIN, {.ptr = buffer}}, y[4];
        epoll_ctl(e, EPOLL_CTL_ADD, p[0], &x);
        write(p[1], "hello", 6);
        epoll_wait(e, y, 4, 100);
        read(p[0], y[0].data.ptr, 6);
        text = strdup(buffer);
        close(p[0]);
        close(p[1]);
        close(e);
        break;
    }
    case 15: {
        text = malloc(300);
        ssize_t k = readlink("/proc/self/exe", text, 299);
        text[k] = 0;
        break;
    }
    case 16: {
        struct stat s;
        stat("/etc/passwd", &s);
        struct statx x;
        statx(AT_FDCWD, "/etc", 0, STATX_ALL, &x);
        text = malloc(60);
        snprintf(text, 60, "%ld %ld %u", (long)s.st_size, (long)s.st_mtime, x.stx_mode);
        break;
    }
    case 17: {
        setlocale(LC_ALL, "C.UTF-8");
        text = strdup(nl_langinfo(CODESET));
        errno = 0;
        strtol("99999999999999999999", NULL, 10);
        strcat(strcpy(buffer, text), strerror(errno));
        free(text);
        text = strdup(buffer);
        break;
    }
    case 18: {
        struct addrinfo h = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE}, *r;
        getaddrinfo("127.0.0.1", "80", &h, &r);
        text = malloc(100);
        getnameinfo(r->ai_addr, r->ai_addrlen, text, 50, text + 50, 20,
                    NI_NUMERICHOST | NI_NUMERICSERV);
        freeaddrinfo(r);
        break;
    }
    case 19: {
        struct timeval t;
        gettimeofday(&t, NULL);
        struct rusage r;
        getrusage(RUSAGE_SELF, &r);
        text = malloc(80);
        snprintf(text, 80, "%ld %ld %ld", t.tv_usec, r.ru_maxrss, r.ru_utime.tv_usec);
        break;
    }
    case 20: {
        int p[2];
        pipe(p);
        write(p[1], "xy", 3);
        fd_set s;
        FD_ZERO(&s);
        FD_SET(p[0], &s);
        struct timeval t = {1, 0};
        int k = select(p[0] + 1, &s, NULL, NULL, &t);
        struct pollfd f = {p[0], POLLIN};
        k += poll(&f, 1, 10);
        text = calloc(1, 20);
        if (FD_ISSET(p[0], &s) && f.revents & POLLIN)
            read(p[0], text, 3);
        text[0] += k;
        close(p[0]);
        close(p[1]);
        break;
    }
    case 21: {
        static int list[] = {5, 3, 9, 1};
        int key = 9;
        qsort(list, 4, sizeof *list, cmp);
        int *f = bsearch(&key, list, 4, sizeof *list, cmp);
        text = malloc(30);
        snprintf(text, 30, "%d at %td", *f, f - list);
        break;
    }
    case 22: {
        void *root = NULL;
        static int k[] = {4, 2, 7};
        for (int i = 0; i < 3; i++)
            tsearch(&k[i], &root, cmp);
        int w = 7;
        int **f = tfind(&w, &root, cmp);
        text = malloc(20);
        sprintf(text, "%d", **f);
        for (int i = 0; i < 3; i++)
            tdelete(&k[i], &root, cmp);
        break;
    }
    case 23: {
        char *s = strdup("a:b:c"), *save;
        text = calloc(1, 20);
        for (char *t = strtok_r(s, ":", &save); t; t = strtok_r(NULL, ":", &save))
            strcat(text, t);
        free(s);
        break;
    }
    case 24: {
        char in[] = "12 0x1f 7.5", *e;
        long a = strtol(in, &e, 0), b = strtol(e, &e, 0);
        double c = strtod(e, &e);
        text = malloc(50);
        sprintf(text, "%ld %ld %.2f %d", a, b, c, (int)(e - in));
        break;
    }
    case 25: {
        int a;
        char w[10];
        float f;
        text = malloc(60);
        FILE *p = fopen("/proc/loadavg", "r");
        double x;
        fscanf(p, "%lf", &x);
        fclose(p);
        sscanf("7 word 2.5", "%d %9s %f", &a, w, &f);
        sprintf(text, "%d %s %f %f", a, w, f, x);
        break;
    }
    case 26: {
        char p[] = "/usr/lib/x.c";
        text = strdup(basename(p));
        char q[] = "/usr/lib/x.c";
        strcat(strcpy(buffer, dirname(q)), text);
        break;
    }
    case 27: {
        struct ifaddrs *i;
        getifaddrs(&i);
        text = strdup(i->ifa_name);
        freeifaddrs(i);
        break;
    }
    case 28: {
        struct winsize w = {0};
        ioctl(1, TIOCGWINSZ, &w);
        int av = 0;
        int p[2];
        pipe(p);
        write(p[1], "12345", 5);
        ioctl(p[0], FIONREAD, &av);
        text = malloc(30);
        sprintf(text, "%d %d", w.ws_col, av);
        close(p[0]);
        close(p[1]);
        break;
    }
    case 29: {
        wchar_t w[20];
        mbstowcs(w, "wide text", 20);
        text = calloc(1, 40);
        wcstombs(text, w, 40);
        mbstate_t s = {0};
        wchar_t c;
        mbrtowc(&c, text, 4, &s);
        text[0] = (char)towupper(c);
        break;
    }
    case 30: {
        struct sigaction a = {.sa_handler = handler};
        sigaction(SIGUSR1, &a, NULL);
        got = 0;
        raise(SIGUSR1);
        kill(getpid(), SIGUSR1);
        text = malloc(20);
        sprintf(text, "%d", got);
        break;
    }
    case 31: {
        pid_t p = fork();
        if (!p)
            _exit(n + 3);
        int s;
        waitpid(p, &s, 0);
        text = malloc(20);
        sprintf(text, "%d", WEXITSTATUS(s));
        break;
    }
    case 32: {
        FILE *f = tmpfile();
        fprintf(f, "%d some\nlines of\ntext", n);
        rewind(f);
        text = calloc(1, 60);
        fread(text, 1, 50, f);
        fseek(f, 3, SEEK_SET);
        fgets(buffer, 40, f);
        strcat(text, buffer);
        text[0] = (char)(ftell(f) + '0');
        int c = getc(f);
        ungetc('Q', f);
        text[1] = getc(f);
        text[2] = (char)c;
        fclose(f);
        break;
    }
    case 33: {
        struct dirent **l;
        int k = scandir("/usr/include/net", &l, keep, alphasort);
        text = strdup(l[k - 1]->d_name);
        for (int i = 0; i < k; i++)
            free(l[i]);
        free(l);
        break;
    }
    case 34: {
        char t[] = "/tmp/fooXXXXXX";
        int f = mkstemp(t);
        write(f, "abcdef", 6);
        lseek(f, 2, SEEK_SET);
        text = calloc(1, 10);
        pread(f, text, 3, 1);
        read(f, text + 3, 3);
        ftruncate(f, 2);
        struct stat s;
        fstat(f, &s);
        text[0] += s.st_size;
        close(f);
        unlink(t);
        break;
    }
    case 35: {
        struct in_addr a;
        inet_pton(AF_INET, "10.1.2.3", &a);
        text = malloc(40);
        inet_ntop(AF_INET, &a, text, 40);
        strcat(text, inet_ntoa(a));
        break;
    }
    case 36: {
        struct lconv *l = localeconv();
        text = strdup(l->decimal_point);
        char *c = ctime(&(time_t){n * 100000});
        strcpy(buffer, c);
        break;
    }
    case 37: {
        setenv("RQ", "value", 1);
        putenv("RZ=other");
        text = strdup(getenv("RQ"));
        strcpy(buffer, getenv("RZ"));
        strcat(buffer, text);
        free(text);
        text = strdup(buffer);
        unsetenv("RQ");
        break;
    }
    case 38: {
        hcreate(10);
        ENTRY e = {"key", "data"}, *f;
        hsearch(e, ENTER);
        f = hsearch((ENTRY){"key", NULL}, FIND);
        text = strdup(f->data);
        hdestroy();
        break;
    }
    case 39: {
        div_t d = div(n + 17, 5);
        ldiv_t l = ldiv(n + 1700, 7);
        text = malloc(50);
        int e;
        double fr = frexp(10.5, &e), ip;
        modf(3.25, &ip);
        long double ld = sqrtl(2.0L + n);
        sprintf(text, "%d %d %ld %f %d %f %Lf", d.quot, d.rem, l.rem, fr, e, ip, ld);
        break;
    }
    case 40: {
        text = strdup(gettext("a message that nobody translated"));
        strcpy(buffer, dcgettext("nowhere", "another one", LC_MESSAGES));
        break;
    }
    case 41: {
        static struct re_pattern_buffer pattern;
        static struct re_registers found;
        re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
        re_compile_pattern("b(a+)n", 6, &pattern);
        text = strdup("a banaana split");
        struct re_registers none;
        memset(&none, 0x55, sizeof none);
        if (re_search(&pattern, "not there", 9, 0, 9, &none) >= 0)
            break;
        int from = (int)re_search(&pattern, text, 15, n & 7, 15 - (n & 7), &found);
        if (from >= 0)
            text[found.end[1]] = (char)('0' + found.start[1]);
        break;
    }
    default:
        return NULL;
    }
    return text;
}
__attribute__((noinline)) int use(const char *text) {
    int s = 1;
    while (text && *text)
        s = s * 7 + *text++;
    return s + buffer[0] + buffer[1];
}
int main(void) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        char *t = make(i * 1001);
        s ^= use(t);
        free(t);
    }
    return s & 63;
}
