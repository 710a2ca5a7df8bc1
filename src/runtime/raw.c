/* Messages without stdio; see raw.h. */
#include "runtime/raw.h"

#include <stdarg.h>

static size_t length_of(const char *string) {
    size_t n = 0;
    while (string[n])
        n++;
    return n;
}

void __recut_say(const char *first, ...) {
    char line[512] = "recut: ";
    size_t used = 7;
    va_list parts;
    va_start(parts, first);
    for (const char *part = first; part; part = va_arg(parts, const char *)) {
        size_t n = length_of(part);
        for (size_t i = 0; i < n && used < sizeof line - 1; i++)
            line[used++] = part[i];
    }
    va_end(parts);
    line[used++] = '\n';
    raw_syscall3(SYS_write, 2, (long)line, (long)used);
}

const char *__recut_decimal(uint64_t value, char *buffer) {
    char *end = buffer + 23;
    *end = '\0';
    do
        *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

const char *__recut_variable(char **envp, const char *name) {
    size_t length = length_of(name);
    for (; *envp; envp++) {
        size_t same = 0;
        while (same < length && (*envp)[same] == name[same])
            same++;
        if (same == length && (*envp)[length] == '=')
            return *envp + length + 1;
    }
    return NULL;
}
