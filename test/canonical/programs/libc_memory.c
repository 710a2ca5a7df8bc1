/* Memory that one side allocates and the other frees or resizes: getline,
 * scandir, glob, regcomp, getaddrinfo, open_memstream, fopen buffers, qsort
 * and the search trees, iconv-like handles. */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <malloc.h>
#include <netdb.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare(const void *a, const void *b) {
    char x[20], y[20];
    snprintf(x, sizeof x, "%08d", *(const int *)a);
    snprintf(y, sizeof y, "%08d", *(const int *)b);
    return strcmp(x, y);
}
static int visible(const struct dirent *e) { char n[256]; strcpy(n, e->d_name); return n[0] != '.'; }
static int visited;
static void visit(const void *node, VISIT when, int depth) {
    (void)node, (void)depth;
    visited += when == postorder || when == leaf;
}
static int by_pointer(const void *a, const void *b) { return strcmp(a, b); }

int main(void) {
    char directory[] = "/tmp/recut-test-XXXXXX";
    if (!mkdtemp(directory) || chdir(directory))
        return 1;
    FILE *f = fopen("lines", "w+");
    for (int i = 0; i < 50; i++)
        fprintf(f, "line %d %0*d\n", i, i * 20, i);
    rewind(f);
    char *line = NULL;
    size_t size = 0;
    long total = 0;
    for (ssize_t n; (n = getline(&line, &size, f)) > 0;)
        total += n + (line[n] == '\0') + (size > (size_t)n);
    printf("%ld\n", total);
    line = realloc(line, 10000);
    line[9999] = 'x';
    free(line);
    rewind(f);
    line = malloc(4);
    size = 4;
    total = 0;
    for (ssize_t n; (n = getdelim(&line, &size, ' ', f)) > 0;)
        total += n;
    printf("%ld %d\n", total, feof(f) != 0);
    free(line);
    rewind(f);
    char *word = NULL;
    printf("%d ", fscanf(f, "%ms", &word));
    puts(word);
    word = realloc(word, 5000);
    free(word);
    char *buffer = malloc(10000);
    setvbuf(f, buffer, _IOFBF, 10000);
    fclose(f);
    free(buffer);

    char *memory = NULL;
    size = 0;
    f = open_memstream(&memory, &size);
    for (int i = 0; i < 10000; i++)
        fprintf(f, "%d,", i);
    fclose(f);
    printf("%zu %.12s\n", size, memory);
    memory = realloc(memory, 100);
    free(memory);
    char fixed[100] = "";
    f = fmemopen(fixed, sizeof fixed, "w");
    fputs("into a local", f);
    fclose(f);
    puts(fixed);

    struct dirent **names;
    for (int i = 0; i < 5; i++) {
        char name[20];
        snprintf(name, sizeof name, "file%d", i);
        fclose(fopen(name, "w"));
    }
    int count = scandir(".", &names, visible, alphasort);
    for (int i = 0; i < count; i++) {
        printf("%s ", names[i]->d_name);
        free(names[i]);
    }
    free(names);
    glob_t g = {.gl_offs = 2};
    printf("%d %zu ", glob("file*", GLOB_DOOFFS, NULL, &g), g.gl_pathc);
    printf("%s\n", g.gl_pathv[2]);
    globfree(&g);
    regex_t r;
    regmatch_t match[2];
    printf("%d ", regcomp(&r, "b([a-z]*)d", REG_EXTENDED));
    printf("%d ", regexec(&r, "xxbeyondxx", 2, match, 0));
    printf("%d-%d\n", match[1].rm_so, match[1].rm_eo);
    regfree(&r);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
    printf("%d ", getaddrinfo("127.0.0.1", "80", &hints, &found));
    printf("%d\n", found && found->ai_next == NULL);
    freeaddrinfo(found);

    int numbers[500];
    for (int i = 0; i < 500; i++)
        numbers[i] = i * 7919 % 1000;
    qsort(numbers, 500, sizeof *numbers, compare);
    int key = numbers[123], *hit = bsearch(&key, numbers, 500, sizeof *numbers, compare);
    printf("%d %d %d\n", numbers[0], numbers[499], *hit == key);
    void *root = NULL;
    for (int i = 0; i < 100; i++) {
        char text[20];
        snprintf(text, sizeof text, "%d", i * 37 % 100);
        tsearch(strdup(text), &root, by_pointer);
    }
    twalk(root, visit);
    printf("%d\n", visited);
    tdestroy(root, free);
    DIR *d = opendir(".");
    int entries = 0;
    while (readdir(d))
        entries++;
    closedir(d);
    printf("%d\n", entries);
    if (system("rm -f lines file?") || chdir("/") || rmdir(directory))
        return 2;
    return 0;
}
