/* Directories, patterns and lists of the network: what libc allocates. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static void make(const char *path) { close(open(path, O_CREAT | O_WRONLY, 0600)); }

static int asked, compared;
static int no_dots(const struct dirent *entry) {
    asked++;
    return entry->d_name[0] != '.';
}
static int backwards(const struct dirent **a, const struct dirent **b) {
    compared++;
    return -strcmp((*a)->d_name, (*b)->d_name);
}

static void scan(const char *what, int (*choose)(const struct dirent *),
                 int (*compare)(const struct dirent **, const struct dirent **)) {
    struct dirent **list;
    int count = scandir("tree", &list, choose, compare);
    printf("%s: %d:", what, count);
    for (int i = 0; i < count; i++) {
        if (compare)
            printf(" %s", list[i]->d_name);
        free(list[i]);
    }
    puts("");
    free(list);
}

static int seen_files, most_level;
static int on_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    seen_files++;
    if (place->level > most_level)
        most_level = place->level;
    if (strcmp(path + place->base, "b.c") == 0)
        printf("found %s: %d bytes, type %d, level %d\n", path, (int)status->st_size, type,
               place->level);
    char *kept = strdup(path);
    int stop = strcmp(path, "tree/stop") == 0;
    free(kept);
    return stop ? 42 : 0;
}
static int on_old(const char *path, const struct stat *status, int type) {
    (void)path;
    seen_files += type == FTW_F && S_ISREG(status->st_mode);
    return 0;
}

static void trees(void) {
    mkdir("tree", 0700);
    mkdir("tree/sub", 0700);
    make("tree/a.c");
    make("tree/b.c");
    make("tree/.hidden");
    make("tree/sub/c.c");
    scan("all", NULL, NULL);
    scan("chosen", no_dots, alphasort);
    scan("backwards", no_dots, backwards);
    printf("asked %d, compared %d\n", asked, compared > 0);
    struct dirent **list = NULL;
    errno = 0;
    int failed = scandir("nothing", &list, NULL, NULL);
    printf("failed %d %s\n", failed, strerror(errno));
    printf("nftw %d", nftw("tree", on_file, 8, FTW_PHYS));
    printf(" %d files, %d levels\n", seen_files, most_level);
    seen_files = 0;
    printf("ftw %d", ftw("tree", on_old, 8));
    printf(" %d files\n", seen_files);
    make("tree/stop");
    printf("nftw stops with %d\n", nftw("tree", on_file, 8, 0));
    errno = 0;
    failed = nftw("nothing", on_file, 8, 0);
    printf("failed %d %s\n", failed, strerror(errno));
    DIR *directory = opendir("tree");
    int count = 0, found = 0;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        count++;
        found += strcmp(entry->d_name, "a.c") == 0;
    }
    rewinddir(directory);
    long position = telldir(directory);
    entry = readdir(directory);
    char first[256];
    strcpy(first, entry->d_name);
    seekdir(directory, position);
    entry = readdir(directory);
    printf("readdir %d %d %d\n", count, found, strcmp(first, entry->d_name));
    closedir(directory);
}

static int on_error(const char *path, int number) {
    printf("cannot read %s: %s\n", path, strerror(number));
    return 0;
}

static void patterns(void) {
    glob_t found = {.gl_offs = 2};
    int code = glob("tree/*.c", GLOB_DOOFFS, on_error, &found);
    printf("glob %d: %zu", code, found.gl_pathc);
    code = glob("tree/sub/*", GLOB_DOOFFS | GLOB_APPEND, NULL, &found);
    printf(" then %d: %zu", code, found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc + 2; i++)
        printf(" %s", found.gl_pathv[i] ? found.gl_pathv[i] : "-");
    printf(" %d\n", found.gl_pathv[found.gl_pathc + 2] == NULL);
    globfree(&found);
    code = glob("none*", 0, NULL, &found);
    printf("none %d %zu\n", code, found.gl_pathc);
    code = glob("none*", GLOB_NOCHECK, NULL, &found);
    printf("nocheck %d %s\n", code, found.gl_pathv[0]);
    globfree(&found);
    code = glob("tree/a.c/*", 0, on_error, &found);
    printf("error %d\n", code);
    wordexp_t words;
    setenv("WHERE", "tree", 1);
    code = wordexp("one \"two three\" $WHERE/*.c $(echo four)", &words, 0);
    printf("wordexp %d:", code);
    for (size_t i = 0; i < words.we_wordc; i++)
        printf(" <%s>", words.we_wordv[i]);
    code = wordexp("more", &words, WRDE_APPEND);
    printf(" then %d %zu %s\n", code, words.we_wordc, words.we_wordv[words.we_wordc - 1]);
    wordfree(&words);
    printf("bad %d\n", wordexp("a | b", &words, 0));
}

static void expressions(void) {
    struct re_pattern_buffer expression = {0};
    struct re_registers registers;
    const char *text = "say hello, hello world";
    char fastmap[256];
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    expression.fastmap = fastmap;
    const char *error = re_compile_pattern("(h)(el+)o", 9, &expression);
    printf("re_compile %d\n", error == NULL);
    int at = re_search(&expression, text, (int)strlen(text), 0, (int)strlen(text), &registers);
    printf("re_search %d: %d-%d %d-%d %u\n", at, registers.start[0], registers.end[0],
           registers.start[2], registers.end[2], registers.num_regs);
    at = re_search(&expression, text, (int)strlen(text), at + 1, (int)strlen(text) - at - 1,
                   &registers);
    printf("re_search %d\n", at);
    printf("re_match %d\n", re_match(&expression, text, (int)strlen(text), 4, NULL));
    printf("re_match %d\n", re_match(&expression, text, (int)strlen(text), 5, &registers));
    free(registers.start);
    free(registers.end);
    expression.fastmap = NULL;
    regfree(&expression);
    regex_t posix;
    regmatch_t matches[2];
    printf("regcomp %d\n", regcomp(&posix, "w(or)ld", REG_EXTENDED));
    int found = regexec(&posix, text, 2, matches, 0);
    printf("regexec %d %d-%d\n", found, matches[1].rm_so, matches[1].rm_eo);
    regfree(&posix);
}

static void network(void) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_CANONNAME},
                    *list = NULL, *other = NULL;
    int code = getaddrinfo("127.0.0.1", "80", &hints, &list);
    printf("getaddrinfo %d", code);
    code = getaddrinfo("::1", "443", &hints, &other);
    printf(" %d", code);
    for (struct addrinfo *at = list; at; at = at->ai_next) {
        struct sockaddr_in *address = (struct sockaddr_in *)at->ai_addr;
        printf(" %s %d %s", inet_ntoa(address->sin_addr), ntohs(address->sin_port),
               at->ai_canonname ? at->ai_canonname : "-");
    }
    puts("");
    freeaddrinfo(list);
    if (code == 0)
        freeaddrinfo(other);
    code = getaddrinfo("not a number", NULL, &hints, &list);
    printf("fails: %s\n", gai_strerror(code));
    struct ifaddrs *interfaces = NULL;
    int loopback = 0;
    printf("getifaddrs %d", getifaddrs(&interfaces));
    for (struct ifaddrs *at = interfaces; at; at = at->ifa_next)
        if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET)
            loopback += ((struct sockaddr_in *)at->ifa_addr)->sin_addr.s_addr ==
                        htonl(INADDR_LOOPBACK);
    printf(" %d\n", loopback);
    freeifaddrs(interfaces);
    struct if_nameindex *names = if_nameindex();
    printf("if_nameindex %s\n", names && names[0].if_name ? names[0].if_name : "-");
    if_freenameindex(names);
    char host[NI_MAXHOST] = "", service[NI_MAXSERV] = "";
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(80),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    code = getnameinfo((struct sockaddr *)&address, sizeof address, host, sizeof host, service,
                       sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);
    printf("getnameinfo %d %s %s\n", code, host, service);
    struct hostent *name = gethostbyname("127.0.0.1");
    printf("gethostbyname %s %d\n", name ? name->h_name : "-", name ? name->h_length : 0);
    struct servent *http = getservbyname("http", "tcp");
    printf("getservbyname %d\n", http ? ntohs(http->s_port) : -1);
    struct protoent *tcp = getprotobyname("tcp");
    printf("getprotobyname %d\n", tcp ? tcp->p_proto : -1);
}

int main(void) {
    trees();
    patterns();
    expressions();
    network();
    return 0;
}
