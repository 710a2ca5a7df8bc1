/* main with arguments and environment: changed, replaced, walked; getopt;
 * libc's variables that live in the program. */
/* arguments: -a -n 5 --long=value rest 'with space' '' */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/auxv.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    printf("%d %d %d\n", argc, argv[argc] == NULL, envp == environ);
    for (int i = 1; i < argc; i++)
        printf("<%s>", argv[i]);
    printf("\n");
    static const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {0}};
    int c;
    while ((c = getopt_long(argc, argv, "an:", longs, NULL)) != -1)
        printf("%c %s\n", c, optarg ? optarg : "-");
    printf("%d %s\n", optind, argv[optind]);
    opterr = 0;
    optind = 1;
    char *wrong[] = {argv[0], "-z", NULL};
    printf("%c %c\n", getopt(2, wrong, "a"), optopt);

    printf("%s\n", getenv("RECUT_TEST_GIVEN"));
    setenv("ONE", "1", 1);
    setenv("ONE", "2", 0);
    static char two[] = "TWO=first";
    putenv(two);
    memcpy(two + 4, "secon", 5);
    printf("%s %s %d\n", getenv("ONE"), getenv("TWO"), unsetenv("ONE"));
    printf("%d\n", getenv("ONE") == NULL);
    int n = 0, found = 0;
    for (char **e = environ; *e; e++, n++)
        found += strncmp(*e, "TWO=", 4) == 0;
    printf("%d %d\n", n > 0, found);
    for (int i = 0; i < 200; i++) {
        char name[20];
        snprintf(name, sizeof name, "VARIABLE%d", i);
        setenv(name, name, 1);
    }
    printf("%s\n", getenv("VARIABLE199"));
    clearenv();
    printf("%d\n", environ == NULL || *environ == NULL);
    setenv("PATH", "/bin:/usr/bin", 1);

    strcpy(argv[1], "X");
    argv[2] = "replaced";
    printf("%s %s\n", argv[1], argv[2]);
    memset(argv[0], 'p', strlen(argv[0]));
    char *last = strrchr(program_invocation_name, '/');
    printf("%s\n", last ? "a name" : program_invocation_short_name[0] == 'p' ? "changed with argv" : "a name");
    setvbuf(stdout, NULL, _IOLBF, 0);
    fprintf(stdout, "stdout\n");
    fprintf(stderr, "stderr\n");
    tzset();
    printf("%s %ld %d\n", tzname[0], timezone, daylight);
    printf("%lu %d\n", getauxval(AT_PAGESZ), getauxval(AT_RANDOM) != 0);
    errno = 0;
    printf("%d %d\n", fopen("/no/such/file", "r") == NULL, errno == ENOENT);
    printf("%s\n", strerror(ENOENT));
    return argc;
}
