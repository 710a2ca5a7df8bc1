/* Which conversion of a scanf format writes how much, and where?  See
 * scan_format.h.  The grammar is that of scanf(3), with glibc's and POSIX's
 * additions: %m, %C, %S, positions (%1$d). */
#include "runtime/scan_format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "runtime/log_write.h"
#include "runtime/owned.h"

struct conversion {
    bool is_suppressed, allocates;
    unsigned position; /* of its argument, from 1; 0: the next */
    size_t width;
    enum { size_int, size_hh, size_h, size_l, size_ll, size_L } size;
    char letter;
};

static size_t number(const char **at) {
    size_t value = 0;
    while (**at >= '0' && **at <= '9')
        value = 10 * value + (size_t)(*(*at)++ - '0');
    return value;
}

static void parse_size(const char **at, struct conversion *c) {
    switch (**at) {
    case 'h':
        c->size = (*at)[1] == 'h' ? size_hh : size_h;
        *at += c->size == size_hh ? 2 : 1;
        break;
    case 'l':
        c->size = (*at)[1] == 'l' ? size_ll : size_l;
        *at += c->size == size_ll ? 2 : 1;
        break;
    case 'j':
    case 'z':
    case 't':
    case 'q':
        c->size = size_ll;
        (*at)++;
        break;
    case 'L':
        c->size = size_L;
        (*at)++;
        break;
    }
}

/* From behind the '%' to behind the conversion. */
static struct conversion parse(const char **at) {
    struct conversion c = {0};
    const char *start = *at;
    size_t first = number(at);
    if (first && **at == '$') {
        c.position = (unsigned)first;
        (*at)++;
    } else {
        *at = start;
    }
    for (;; (*at)++)
        if (**at == '*')
            c.is_suppressed = true;
        else if (**at != '\'' && **at != 'I')
            break;
    c.width = number(at);
    if (**at == 'm') {
        c.allocates = true;
        (*at)++;
    }
    parse_size(at, &c);
    c.letter = **at;
    if (c.letter)
        (*at)++;
    if (c.letter == '[') {
        if (**at == '^')
            (*at)++;
        if (**at == ']')
            (*at)++;
        *at += strcspn(*at, "]");
        *at += **at == ']';
    }
    return c;
}

static size_t number_size(const struct conversion *c) {
    switch (c->size) {
    case size_hh:
        return 1;
    case size_h:
        return 2;
    case size_l:
    case size_ll:
    case size_L:
        return 8;
    default:
        return 4;
    }
}

static struct scan_target target_of(const struct conversion *c, void *to) {
    struct scan_target target = {.to = to, .allocates = c->allocates};
    bool is_wide = c->size == size_l || c->letter == 'C' || c->letter == 'S';
    switch (c->letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        target.size = number_size(c);
        break;
    case 'n':
        target.size = number_size(c);
        target.is_count = true;
        break;
    case 'p':
        target.size = sizeof(void *);
        break;
    case 'c':
    case 'C':
        target.is_wide = is_wide;
        target.size = (c->width ? c->width : 1) * (is_wide ? sizeof(wchar_t) : 1);
        break;
    case 's':
    case 'S':
    case '[':
        target.is_wide = is_wide;
        break;
    default: /* a e f g, in either case */
        target.size = c->size == size_L   ? sizeof(long double)
                      : c->size == size_l ? sizeof(double)
                                          : sizeof(float);
    }
    return target;
}

unsigned __recut_scan_targets(const char *format, va_list args, struct scan_target *ret,
                              unsigned most) {
    unsigned count = 0;
    va_list positions;
    va_copy(positions, args);
    for (const char *at = format; (at = strchr(at, '%')) && count < most;) {
        at++;
        if (*at == '%') {
            at++;
            continue;
        }
        struct conversion c = parse(&at);
        if (!c.letter)
            break;
        if (c.is_suppressed || c.letter == '%')
            continue;
        void *to;
        if (c.position) {
            va_list again;
            va_copy(again, positions);
            for (unsigned i = 1; i < c.position; i++)
                (void)va_arg(again, void *);
            to = va_arg(again, void *);
            va_end(again);
        } else {
            to = va_arg(args, void *);
        }
        ret[count++] = target_of(&c, to);
    }
    va_end(positions);
    return count;
}

static size_t string_size(const void *string, bool is_wide) {
    return is_wide ? (wcslen(string) + 1) * sizeof(wchar_t) : strlen(string) + 1;
}

static void move_to_pool(struct scan_target *target) {
    void *original = *(void **)target->to;
    size_t size = target->size ? target->size : string_size(original, target->is_wide);
    void *copy = owned_malloc(size);
    if (copy)
        memcpy(copy, original, size);
    foreign_free(original);
    *(void **)target->to = copy;
}

unsigned __recut_scan_written(struct scan_target *targets, unsigned count, int result) {
    unsigned i = 0;
    for (int left = result; i < count; i++) {
        if (targets[i].is_count)
            continue;
        if (left-- <= 0)
            break;
        if (targets[i].allocates && *(void **)targets[i].to)
            move_to_pool(&targets[i]);
    }
    return i;
}

const void *__recut_scan_bytes(const struct scan_target *target) {
    return target->allocates ? *(void **)target->to : target->to;
}

size_t __recut_scan_size(const struct scan_target *target) {
    return target->size ? target->size : string_size(__recut_scan_bytes(target), target->is_wide);
}

void __recut_scan_fill(const struct scan_target *target, const void *bytes, size_t size) {
    void *to = target->to;
    if (target->allocates) {
        to = owned_malloc(size);
        *(void **)target->to = to;
    }
    if (to)
        memcpy(to, bytes, size);
}

size_t __recut_scan_bound(const struct scan_target *targets, unsigned written) {
    size_t bound = 0;
    for (unsigned i = 0; i < written; i++)
        bound += __recut_scan_size(&targets[i]) + 24;
    return bound;
}

unsigned char *__recut_scan_put(unsigned char *p, const struct scan_target *targets,
                                unsigned written) {
    for (unsigned i = 0; i < written; i++)
        p = put_bytes(put_varint(p, OUTPUT_OBJECT), __recut_scan_bytes(&targets[i]),
                      __recut_scan_size(&targets[i]));
    return p;
}

bool __recut_scan_narrow(char *to, const wchar_t *format) {
    size_t i = 0;
    for (; format[i] && i + 1 < SCAN_MOST_FORMAT; i++)
        to[i] = format[i] > 0 && format[i] < 128 ? (char)format[i] : '?';
    to[i] = '\0';
    return !format[i];
}
