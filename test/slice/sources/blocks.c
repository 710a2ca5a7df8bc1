/* Macros that begin or end a block, are several statements, or none; several on a line. */
#include <stdio.h>
#include <string.h>
#define X(a) case a: name = #a; break;
#define LIST X(1) X(2) X(3)
#define IF(c) if (c) {
#define ELSE } else {
#define FI }
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define NOTHING
#define STMT(s) s
#define RET(v) do { noise++; return (v); } while (0)
static int noise;
static const char *name_of(int n) {
    const char *name = "?";
    switch (n) { LIST default: noise++; }
    return name;
}
static int f(int n) {
    int r = 0;
    IF (n > 2)
        r = MAX(n, 3);
        noise += 2;
    ELSE
        r = MAX(2, n);
    FI
    NOTHING;
    STMT(r++;)
    STMT(noise++);
    STMT({ noise--; r += 2; })
    if (n == 7) RET(r);
    if (n == 8) { noise = 4; RET(9); } else if (n == 9) STMT(r = 1); else STMT(noise = 2;)
    return r /* value */ + /* comment; with
    lines */ 0; /* after
    it */
}
int main(int argc, char **argv) {
    int total = 0; int junk = 0; /* two on a line */
    for (int i = 0; i < 10; i++) total += f(i), junk += i; 
    total += (int)strlen(name_of(2)); junk++; total++; junk--;
    { junk += 3; { total += 2; } }
    while (junk > 0) junk--, noise++;
    if (total) if (junk) noise++; else total += 100; else noise--;
    if (total > 5) { if (junk) noise++; } else total = 0;
    printf("slice: %d\n", total); /* slice */
    return junk + noise;
}
