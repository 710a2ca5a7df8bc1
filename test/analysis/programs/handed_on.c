/* Functions that return what a call of a library or inline assembly returned, which they were
 * given. */
#include <libintl.h>
#include <stdio.h>
#include <string.h>

char fields[] = "a,b", text[] = "text", other[] = "other";
char *from_strsep;   /* expect from_strsep: fields */
char *from_gettext;  /* expect-at-least from_gettext: text */
char *from_assembly; /* expect-at-least from_assembly: other */

__attribute__((noinline)) static char *next(char **s) { return strsep(s, ","); }
__attribute__((noinline)) static char *translate(char *s) { return gettext(s); }
__attribute__((noinline)) static char *same(char *s) {
    char *result;
    __asm__("mov %1, %0" : "=r"(result) : "r"(s));
    return result;
}

int main(void) {
    char *rest = fields;
    from_strsep = next(&rest);
    from_gettext = translate(text);
    from_assembly = same(other);
    printf("%s %s %s\n", from_strsep, from_gettext, from_assembly);
    return 0;
}
