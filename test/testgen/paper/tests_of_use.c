/* Figures 5 and 8 of ReCrash: the innermost test shows the crash, the next one the cause. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) char *to_upper(char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] >= 'a' && text[i] <= 'f')
            text[i] = (char)(text[i] - 'a' + 'A');
    return text;
}

static __attribute__((noinline)) char *hex_abs(int x) {
    char *result = NULL;
    if (x > 0) {
        result = malloc(12);
        sprintf(result, "%x", (unsigned)x);
    } else if (x < 0) {
        result = malloc(12);
        sprintf(result, "%x", -(unsigned)x);
    }
#ifdef FIXED
    if (!result)
        result = strdup("0");
#endif
    return to_upper(result);
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%s\n", hex_abs(argc - 1));
    return 0;
}
