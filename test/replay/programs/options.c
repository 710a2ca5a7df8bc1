/* getopt and its relatives: letters, names, errors, order. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int flag;
static const struct option names[] = {{"verbose", no_argument, NULL, 'v'},
                                      {"version", no_argument, NULL, 'V'},
                                      {"output", required_argument, NULL, 'o'},
                                      {"level", optional_argument, NULL, 'l'},
                                      {"flag", no_argument, &flag, 7},
                                      {0}};

int main(int argc, char **argv) {
    const char *way = argv[1], *letters = argv[2];
    argv[2] = argv[0];
    argv += 2;
    argc -= 2;
    for (int round = 0; round < 2; round++) {
        int option, index = -1;
        optind = 0;
        opterr = round == 0;
        for (;;) {
            if (!strcmp(way, "long"))
                option = getopt_long(argc, argv, letters, names, &index);
            else if (!strcmp(way, "only"))
                option = getopt_long_only(argc, argv, letters, names, &index);
            else
                option = getopt(argc, argv, letters);
            if (option == -1)
                break;
            printf("%d '%c' arg %s ind %d opt %d index %d flag %d\n", option,
                   option > 31 ? option : '.', optarg ? optarg : "none", optind, optopt, index, flag);
        }
        printf("rest from %d:", optind);
        for (int i = 1; i < argc; i++)
            printf(" %s", argv[i]);
        puts("");
    }
    return optind;
}
