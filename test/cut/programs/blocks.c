/* Blocks that libc makes, in one of many ways (HOW), and the program uses. */
#define _GNU_SOURCE
#include <dirent.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>
static FILE *file;
__attribute__((noinline)) static char *va(const char *f, ...) {
    va_list args;
    char *text;
    va_start(args, f);
    if (vasprintf(&text, f, args) < 0)
        text = NULL;
    va_end(args);
    return text;
}
__attribute__((noinline)) char *make(int n) {
    char *text = NULL;
    size_t size = 0;
    switch (HOW) {
    case 0:
        if (asprintf(&text, "%d is it", n) < 0)
            return NULL;
        break;
    case 1:
        text = va("%d is %s", n, "it");
        break;
    case 2:
        rewind(file);
        if (getline(&text, &size, file) < 0)
            return NULL;
        break;
    case 3:
        rewind(file);
        if (getdelim(&text, &size, 'e', file) < 0)
            return NULL;
        break;
    case 4:
        text = strdup(n & 1 ? "odd" : "even");
        break;
    case 5:
        text = strndup("some text", n);
        break;
    case 6:
        text = getcwd(NULL, 0);
        break;
    case 7:
        text = realpath("/usr/../usr", NULL);
        break;
    case 8: {
        FILE *f = open_memstream(&text, &size);
        fprintf(f, "%d in memory", n);
        fclose(f);
        break;
    }
    case 9:
        text = canonicalize_file_name("/usr/bin/../lib");
        break;
    case 10:
        rewind(file);
        if (fscanf(file, "%ms", &text) != 1)
            return NULL;
        break;
    case 11: {
        void *p;
        if (posix_memalign(&p, 64, 100))
            return NULL;
        text = p;
        sprintf(text, "%d", n);
        break;
    }
    case 12:
        text = tempnam("/tmp", "x");
        break;
    case 13: {
        struct dirent **l;
        int k = scandir("/usr", &l, NULL, alphasort);
        text = strdup(l[0]->d_name);
        for (int i = 0; i < k; i++)
            free(l[i]);
        free(l);
        break;
    }
    case 14: {
        glob_t g;
        glob("/us*", 0, NULL, &g);
        text = strdup(g.gl_pathv[0]);
        globfree(&g);
        break;
    }
    case 15:
        text = get_current_dir_name();
        break;
    case 16:
        text = strdup("abc");
        text = realloc(text, 100);
        strcat(text, "def");
        break;
    case 17: {
        wchar_t *w = wcsdup(L"wide");
        text = malloc(20);
        text[0] = (char)w[0];
        text[1] = 0;
        free(w);
        break;
    }
    case 18: {
        text = malloc(20);
        strcpy(text, "0123456789");
        FILE *f = fmemopen(text, 20, "r+");
        fputs("new", f);
        fclose(f);
        break;
    }
    case 19: {
        text = calloc(3, 10);
        text[1] = 'x';
        text[0] = 'y';
        break;
    }
    case 20: {
        char *q = strdup("a,b");
        text = strdup(strsep(&q, ","));
        break;
    }
    case 21: {
        const char *e = getenv("HOME");
        text = strdup(e ? e : "none");
        break;
    }
    case 22: {
        text = malloc(64);
        if (gethostname(text, 64))
            return NULL;
        break;
    }
    case 23: {
        text = malloc(64);
        setbuf(file, NULL);
        snprintf(text, 64, "%s-%d", "x", n);
        break;
    }
    case 24: {
        wordexp_t w;
        w.we_offs = 2;
        wordexp("a $HOME b*", &w, WRDE_DOOFFS);
        text = strdup(w.we_wordv[3]);
        wordfree(&w);
        break;
    }
    case 25: {
        glob_t w;
        w.gl_offs = 2;
        glob("/us*", GLOB_DOOFFS, NULL, &w);
        glob("/v*", GLOB_DOOFFS | GLOB_APPEND, NULL, &w);
        text = strdup(w.gl_pathv[3]);
        globfree(&w);
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
    return s;
}
int main(void) {
    file = fopen("/etc/passwd", "r");
    int s = 0;
    for (int i = 0; i < 4; i++) {
        char *t = make(i * 1001);
        s ^= use(t);
        free(t);
    }
    return s & 63;
}
