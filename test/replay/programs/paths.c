/* Paths that libc allocates, or writes where the program says. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "NULL";
}

int main(void) {
    char buffer[PATH_MAX], small[2] = "x";
    mkdir("directory", 0700);
    if (symlink("directory", "link") != 0)
        return 1;
    char *path = realpath("link", NULL);
    puts(base(path));
    free(path);
    puts(base(realpath("link/../link", buffer)));
    errno = 0;
    path = realpath("link/nothing/here", buffer);
    printf("%s %s\n", path ? path : "NULL", strerror(errno));
    puts(base(buffer));
    errno = 0;
    path = realpath("nothing", NULL);
    printf("%s %s\n", path ? path : "NULL", strerror(errno));
    path = canonicalize_file_name("./link/.");
    puts(base(path));
    free(path);
    if (chdir("directory") != 0)
        return 1;
    char *first = getcwd(NULL, 0);
    char *second = getcwd(buffer, sizeof buffer);
    char *third = getcwd(NULL, 3000);
    char *fourth = get_current_dir_name();
    printf("%s %d %d %d\n", base(first), strcmp(first, second), strcmp(first, third),
           strcmp(first, fourth));
    free(first);
    free(third);
    free(fourth);
    errno = 0;
    path = getcwd(small, sizeof small);
    printf("%d %s %c\n", path == NULL, strerror(errno), small[0]);
    errno = 0;
    path = getcwd(NULL, 2);
    printf("%d %s\n", path == NULL, strerror(errno));
    char *name = tempnam(".", "recut");
    printf("%.7s\n", name);
    free(name);
    /* The pool is where it was. */
    char *last = malloc(100);
    printf("%d\n", last != NULL);
    free(last);
    return 0;
}
