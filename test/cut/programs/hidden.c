/* Functions of libc's that keep what the program does not see, or change variables of libc's:
 * number HOW. */
#include <getopt.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int sum;
static void add(int value) { sum = sum * 31 + value; }
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void walk(const void *node, VISIT when, int depth) {
    if (when == leaf || when == postorder)
        add((*(char *const *)node)[0] + depth);
}
static void rest(int argc, char **argv) {
    for (int i = optind; i < argc; i++)
        add(argv[i][0]);
}

int part(int argc, char **argv) {
#if HOW == 0
    for (int c; (c = getopt(argc, argv, "ab:c")) != -1;)
        add(c + (optarg ? optarg[0] : 0));
    rest(argc, argv);
#elif HOW == 1
    int index = -1;
    static struct option names[] = {{"xx", 1, 0, 'x'}, {"yy", 0, &sum, 77}, {0}};
    for (int c; (c = getopt_long(argc, argv, "ab:c", names, &index)) != -1;)
        add(c + index + (optarg ? optarg[0] : 0));
    rest(argc, argv);
#elif HOW == 2
    char text[] = "one:two:three";
    for (char *word = strtok(text, ":"); word; word = strtok(NULL, ":"))
        add(word[0] + (int)strlen(word));
    add(text[3] + text[7]);
#elif HOW == 3
    void *root = NULL;
    const char *const words[] = {"b", "a", "c"};
    for (int i = 0; i < 3; i++)
        tsearch(words[i], &root, compare);
    void *found = tfind("c", &root, compare);
    add(found ? (*(char **)found)[0] : 0);
    twalk(root, walk);
    tdelete("a", &root, compare);
    twalk(root, walk);
#elif HOW == 4
    hcreate(10);
    hsearch((ENTRY){"key", (void *)5}, ENTER);
    ENTRY *found = hsearch((ENTRY){"key", NULL}, FIND);
    add(found ? (int)(long)found->data + found->key[0] : 0);
    hdestroy();
#elif HOW == 6 /* a text that a struct points to, which libc wrote */
    time_t now = 0;
    struct tm tm;
    localtime_r(&now, &tm);
    add(strcmp(tm.tm_zone, "GMT"));
    add(strcmp(tm.tm_zone, "UTC"));
#elif HOW == 5
    add((int)(lgamma(-0.5 - argc) * 1000));
    add(signgam);
#endif
    return sum & 63;
}

int main(int argc, char **argv) { return part(argc, argv); }
