/*
 * reach FILE: asks for a bit of everything: files, folders, users, sockets, time,
 * other processes.  Its first act in main is to say so.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void of_files(const char *path) {
    char bytes[64] = {0};
    int fd = open(path, O_RDONLY);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes - 1);
    printf("%s: %zd bytes: %s\n", path, got, bytes);
    close(fd);
    FILE *out = fopen("reach.out", "w");
    if (out) {
        fprintf(out, "%ld\n", (long)getpid());
        fclose(out);
    }
    struct stat st;
    if (stat("reach.out", &st) == 0)
        printf("written %ld at %ld.%09ld\n", (long)st.st_size, (long)st.st_mtim.tv_sec,
               st.st_mtim.tv_nsec);
    unlink("reach.out");
    unsigned entries = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        entries++;
    if (folder)
        closedir(folder);
    printf("%u descriptors\n", entries);
}

/* A connection with itself. */
static void of_sockets(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    char answer[32] = {0};
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
        connect(client, (struct sockaddr *)&address, size) != 0) {
        printf("no network: %s\n", strerror(errno));
        return;
    }
    int server = accept(listener, NULL, NULL);
    dprintf(server, "port %d", ntohs(address.sin_port));
    recv(client, answer, sizeof answer - 1, 0);
    printf("over the network: %s\n", answer);
    close(server);
    close(client);
    close(listener);
}

int main(int argc, char **argv) {
    (void)!write(STDOUT_FILENO, "main begins\n", 12);
    of_files(argc > 1 ? argv[1] : "/etc/hostname");
    of_sockets();
    struct passwd *user = getpwuid(getuid());
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("user %s, time %ld.%09ld\n", user ? user->pw_name : "?", (long)now.tv_sec, now.tv_nsec);
    FILE *child = popen("echo $$", "r");
    char line[32];
    if (child && fgets(line, sizeof line, child))
        printf("child %s", line);
    if (child)
        pclose(child);
    printf("heap %p\n", malloc(100));
    return 4;
}
