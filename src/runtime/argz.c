/* argz_create and argz_create_sep: vectors of strings in one block, of the pool. */
#include <argz.h>
#include <errno.h>
#include <string.h>

#include "runtime/owned.h"

error_t __recut_special_argz_create(char *const *, char **, size_t *);
error_t __recut_special_argz_create(char *const *arguments, char **ret, size_t *ret_length) {
    size_t length = 0;
    for (char *const *at = arguments; *at; at++)
        length += strlen(*at) + 1;
    char *to = length ? owned_malloc(length) : NULL;
    if (length && !to)
        return ENOMEM;
    *ret = to;
    *ret_length = length;
    for (; *arguments; arguments++)
        to = stpcpy(to, *arguments) + 1;
    return 0;
}

/* Separators that follow each other make one end; the end of the text is one more. */
error_t __recut_special_argz_create_sep(const char *, int, char **, size_t *);
error_t __recut_special_argz_create_sep(const char *text, int separator, char **ret,
                                        size_t *ret_length) {
    size_t length = strlen(text) + 1;
    *ret = NULL;
    *ret_length = 0;
    if (length == 1)
        return 0;
    char *begin = owned_malloc(length), *to = begin;
    if (!begin)
        return ENOMEM;
    do {
        if (*text != (char)separator)
            *to++ = *text;
        else if (to > begin && to[-1] != '\0')
            *to++ = '\0';
    } while (*text++);
    *ret = begin;
    *ret_length = (size_t)(to - begin);
    return 0;
}
