/* Statics and tentative definitions of the same names in several files, K&R
 * definitions, declarations that do not match, inline in its C99 and GNU forms. */
/* sources: many_files.c parts/many_files_b.c parts/many_files_c.c */
/* flags: -fcommon -std=gnu89 -Wno-everything */
#include <stdio.h>

static int counter = 1;
static char buffer[10] = "a";
int common_variable;
int common_array[10];
static int helper() { static int calls; return ++calls + counter; }

int b_work(), c_work();
double c_real();
extern int mismatched;
void variadic_elsewhere();
extern inline int gnu_inline(int x) { return x + 1; } /* for inlining only */

int old_style(a, b, c)
    int a;
    char b;
    double c;
{
    int local[3];
    local[0] = a, local[1] = b, local[2] = (int)c;
    return local[0] + local[1] + local[2];
}

int no_result();
int no_result(x) { int y[2]; y[0] = x; return y[0]; }

main() {
    common_variable = 5;
    common_array[9] = 6;
    printf("%d %d %d\n", helper(), b_work(1), c_work(2));
    printf("%d %d\n", helper(), helper());
    printf("%d %s\n", common_variable, buffer);
    printf("%g\n", c_real(2.0));
    printf("%d %d\n", old_style(1, 'a', 3.9), no_result(4));
    printf("%d\n", mismatched);
    printf("%d\n", gnu_inline(4));
    variadic_elsewhere(3, 10, 20, 30);
    return 0;
}
