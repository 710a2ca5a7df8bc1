/*
 * Characters in a locale that is not "C" but UTF-8, as most are.
 *
 * Programs that go through text ask for one character after the other, and the
 * answer for nearly all of them is known without the locale: whole characters of
 * UTF-8 are what they are, and ASCII is classified as in "C".  Those are
 * answered here, in both runs, and leave nothing in the log.  All else (what is
 * cut short or wrong, a state that libc keeps) goes the generic way.
 */
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

#include "runtime/env.h"
#include "runtime/locale.h"

/* The generic code for a function, as a tail call: the log shall name the place in
 * the program. */
#define GENERIC(name)                                                                              \
    ({                                                                                             \
        static __typeof__(&name) generic;                                                          \
        if (!generic)                                                                              \
            generic = (__typeof__(&name))__recut_env_generic(#name);                               \
        generic;                                                                                   \
    })

static bool is_initial(const mbstate_t *state) { return state && state->__count == 0; }

/* --- UTF-8 ------------------------------------------------------------------------------- */

static bool is_encoded(uint32_t c) { return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff); }

/* Length of the whole character at the beginning of `n` bytes, 0 if there is none. */
static unsigned decode(const unsigned char *s, size_t n, uint32_t *ret) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (s[0] < 0x80) {
        *ret = s[0];
        return 1;
    }
    unsigned length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || n < length)
        return 0;
    uint32_t c = s[0] & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    *ret = c;
    return c >= least[length] && is_encoded(c) ? length : 0;
}

static unsigned encode(char *to, uint32_t c) {
    if (c < 0x80) {
        *to = (char)c;
        return 1;
    }
    unsigned length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = length; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xf00u >> length) | c);
    return length;
}

#define DECODE(name)                                                                               \
    size_t __recut_special_##name(wchar_t *, const char *, size_t, mbstate_t *);                   \
    size_t __recut_special_##name(wchar_t *ret, const char *s, size_t n, mbstate_t *state) {       \
        uint32_t c;                                                                                \
        unsigned length;                                                                           \
        if (!s || !n || !is_initial(state) || !__recut_locale_is_utf8() ||                         \
            !(length = decode((const unsigned char *)s, n, &c)))                                   \
            return GENERIC(name)(ret, s, n, state);                                                \
        if (ret)                                                                                   \
            *ret = (wchar_t)c;                                                                     \
        return c ? length : 0;                                                                     \
    }
size_t __mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
DECODE(mbrtowc)
DECODE(__mbrtowc)

#define MEASURE(name)                                                                              \
    size_t __recut_special_##name(const char *, size_t, mbstate_t *);                              \
    size_t __recut_special_##name(const char *s, size_t n, mbstate_t *state) {                     \
        uint32_t c;                                                                                \
        unsigned length;                                                                           \
        if (!s || !n || !is_initial(state) || !__recut_locale_is_utf8() ||                         \
            !(length = decode((const unsigned char *)s, n, &c)))                                   \
            return GENERIC(name)(s, n, state);                                                     \
        return c ? length : 0;                                                                     \
    }
size_t __mbrlen(const char *, size_t, mbstate_t *);
MEASURE(mbrlen)
MEASURE(__mbrlen)

size_t __recut_special_wcrtomb(char *, wchar_t, mbstate_t *);
size_t __recut_special_wcrtomb(char *to, wchar_t c, mbstate_t *state) {
    if (!to || !is_initial(state) || !is_encoded((uint32_t)c) || !__recut_locale_is_utf8())
        return GENERIC(wcrtomb)(to, c, state);
    return encode(to, (uint32_t)c);
}

/* --- ASCII ------------------------------------------------------------------------------- */

/* libc's own answer, which in a replay is that of "C". */
#define CLASSIFY(name, result, type)                                                               \
    result __recut_special_##name(type);                                                           \
    result __recut_special_##name(type c) {                                                        \
        return (uint32_t)c < 0x80 && __recut_locale_has_ascii() ? name(c) : GENERIC(name)(c);      \
    }
CLASSIFY(iswalpha, int, wint_t)
CLASSIFY(iswalnum, int, wint_t)
CLASSIFY(iswblank, int, wint_t)
CLASSIFY(iswcntrl, int, wint_t)
CLASSIFY(iswdigit, int, wint_t)
CLASSIFY(iswgraph, int, wint_t)
CLASSIFY(iswlower, int, wint_t)
CLASSIFY(iswprint, int, wint_t)
CLASSIFY(iswpunct, int, wint_t)
CLASSIFY(iswspace, int, wint_t)
CLASSIFY(iswupper, int, wint_t)
CLASSIFY(iswxdigit, int, wint_t)
CLASSIFY(towupper, wint_t, wint_t)
CLASSIFY(towlower, wint_t, wint_t)
CLASSIFY(wcwidth, int, wchar_t)
CLASSIFY(btowc, wint_t, int)
CLASSIFY(wctob, int, wint_t)
