/* Copies all files of one directory to another. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[128 * 1024];

static int copy(const char *from, const char *to) {
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ssize_t got;
    while ((got = read(in, buffer, sizeof buffer)) > 0)
        if (write(out, buffer, (size_t)got) != got)
            return -1;
    close(in);
    close(out);
    return got < 0 ? -1 : 0;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    DIR *files = opendir(argv[1]);
    long count = 0;
    mkdir(argv[2], 0755);
    for (struct dirent *file; files && (file = readdir(files));) {
        char from[4096], to[4096];
        if (file->d_name[0] == '.')
            continue;
        snprintf(from, sizeof from, "%s/%s", argv[1], file->d_name);
        snprintf(to, sizeof to, "%s/%s", argv[2], file->d_name);
        if (copy(from, to) != 0)
            return 1;
        count++;
    }
    printf("%ld files\n", count);
    return 0;
}
