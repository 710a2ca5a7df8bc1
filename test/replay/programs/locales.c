/* What depends on the locale: classes, order, numbers, text, messages. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static const unsigned short *kept_table;

static void classes(void) {
    unsigned sum = 0;
    for (int c = -1; c < 256; c++)
        sum = sum * 7 + (unsigned)(!!isalpha(c) + 2 * !!isspace(c) + 4 * !!isupper(c));
    for (int c = 0; c < 256; c++)
        sum = sum * 7 + (unsigned)(toupper(c) + 3 * tolower(c));
    int (*volatile function)(int) = isalnum;
    printf("classes %u, %d, at most %zu bytes\n", sum, !!function('x'), MB_CUR_MAX);
    kept_table = *__ctype_b_loc();
}

static void numbers(void) {
    char buffer[64], *end, *text;
    double value = strtod("3,25", &end);
    printf("%.3f rest %s, %d, %'d\n", value, end, 7, 1234567);
    snprintf(buffer, sizeof buffer, "%.2f|%'.1f|%s", value, 9876543.21, "s");
    printf("%s|%f|%e|%Lg\n", buffer, 0.5, 12345.678, 1.25L);
    printf("plain %d %s %c\n", 42, "text", 'c');
    fprintf(stderr, "error %g\n", 1.5);
    int n = asprintf(&text, "%.1f and %s", 2.5, "more");
    printf("%d %s\n", n, text);
    free(text);
    asprintf(&text, "%d only", 3);
    puts(text);
    free(text);
    double scanned = 0;
    int whole = 0;
    char *word = NULL;
    n = sscanf("12 7,5 word", "%d %lf", &whole, &scanned);
    printf("scanned %d: %d %.2f\n", n, whole, scanned);
    n = sscanf("some words here", "%ms", &word);
    printf("%d %s\n", n, word);
    free(word);
    n = swscanf(L"5 6", L"%d %d", &whole, &n);
    printf("wide %d %d\n", n, whole);
    dprintf(2, "to a descriptor %.1f\n", 0.25);
    struct lconv *conv = localeconv();
    printf("point '%s' thousands '%s'\n", conv->decimal_point, conv->thousands_sep);
}

static void texts(void) {
    const char *words[] = {"zebra", "Apfel", "\303\204rger", "apfel", "\303\266l"};
    for (int i = 0; i < 4; i++) {
        int order = strcoll(words[i], words[i + 1]);
        char key[200];
        strxfrm(key, words[i], sizeof key);
        printf("%d %d ", (order > 0) - (order < 0), strcasecmp(words[i], words[i + 1]) > 0);
    }
    wchar_t wide[32];
    size_t n = mbstowcs(wide, "gr\303\274n", 32);
    printf("\n%zd wide\n", (ssize_t)n);
    mbstate_t state = {0};
    const char *at = "\342\202\254x";
    wchar_t c;
    n = mbrtowc(&c, at, 4, &state);
    printf("%zd, errno %s\n", (ssize_t)n, n > 4 ? strerror(errno) : "none");
    if (n < 5)
        printf("%lx %d %lx\n", (long)c, !!iswalpha(0xfc), (long)towupper(0xfc));
    char out[16];
    int length = wctomb(out, 0xe9);
    printf("wctomb %d, mblen %d\n", length, mblen("\303\251", 2));
    n = wcstombs(out, L"abc", sizeof out);
    printf("%zu %s\n", n, out);
    if (MB_CUR_MAX > 1)
        printf("%ls %lc\n", L"wide \x20ac", (wint_t)0xe4);
    const char *codeset = nl_langinfo(CODESET), *day = nl_langinfo(DAY_1);
    printf("%s %s %s\n", codeset, day, nl_langinfo(RADIXCHAR));
    const char *one = gettext("hello"), *two = gettext("good bye");
    printf("%s, %s, %s\n", one, two, ngettext("one file", "many files", 3));
    printf("%s\n", dgettext("nothing", "untranslated"));
    errno = ENOENT;
    printf("%m %s\n", strerror(EACCES));
    errno = EPERM;
    perror("perror");
}

static void characters(void) {
    const char *texts[] = {"plain", "gr\303\274n", "\342\202\254uro", "\360\237\230\200!", "cut \303",
                           "wrong \377", "long \300\200", "half \355\240\200"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        mbstate_t state = {0}, back = {0};
        const char *at = texts[i];
        for (;;) {
            wchar_t c = 0;
            char bytes[16];
            size_t n = mbrtowc(&c, at, strlen(at) + 1, &state);
            if (n == 0 || n > 16) {
                printf("%zd %d\n", (ssize_t)n, mbsinit(&state));
                break;
            }
            size_t m = wcrtomb(bytes, c, &back);
            printf("%zu/%zu %lx %d%d%d %lx %d; ", n, m, (long)c, !!iswalpha((wint_t)c),
                   !!iswprint((wint_t)c), !!iswspace((wint_t)c), (long)towupper((wint_t)c),
                   wcwidth(c));
            at += n;
        }
    }
    mbstate_t state = {0};
    wchar_t c;
    printf("%zd ", (ssize_t)mbrtowc(&c, "\342\202", 2, &state));
    printf("%d ", mbsinit(&state));
    printf("%zd ", (ssize_t)mbrtowc(&c, "\254", 1, &state));
    printf("%zd %d %d %d\n", (ssize_t)mbrlen("x", 1, NULL), btowc('x'), btowc(0xe4), wctob(0xe4));
}

static void other_locales(void) {
    locale_t utf8 = newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
    locale_t none = newlocale(LC_ALL_MASK, "xx_XX.nothing", NULL);
    printf("locale %d %d\n", utf8 != NULL, none != NULL);
    locale_t plain = newlocale(LC_ALL_MASK, "C", NULL), copy = duplocale(utf8);
    printf("%d %d %d\n", !!isalpha_l('a', utf8), toupper_l('b', plain), strcoll_l("a", "b", copy));
    locale_t old = uselocale(utf8);
    printf("was global %d, at most %zu, now %d\n", old == LC_GLOBAL_LOCALE, MB_CUR_MAX,
           uselocale(NULL) == utf8);
    classes();
    numbers();
    uselocale(plain);
    numbers();
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(utf8);
    freelocale(plain);
    freelocale(copy);
}

static void codes(void) {
    iconv_t conversion = iconv_open("UTF-8", "ISO-8859-1");
    char in[] = "gr\374n und wei\337", out[10], *from = in, *to = out;
    size_t left = strlen(in), room = sizeof out;
    while (left) {
        size_t n = iconv(conversion, &from, &left, &to, &room);
        printf("%zd, %zu left, %.*s %s\n", (ssize_t)n, left, (int)(to - out), out,
               n == (size_t)-1 ? strerror(errno) : "");
        to = out;
        room = sizeof out;
    }
    iconv_close(conversion);
}

int main(int argc, char **argv) {
    printf("locale %s\n", setlocale(LC_ALL, NULL));
    classes();
    numbers();
    texts();
    const unsigned short *plain = kept_table;
    const char *name = setlocale(LC_ALL, argc > 1 ? argv[1] : "");
    printf("locale %s\n", name ? name : "not there");
    bindtextdomain("greet", "catalogues");
    textdomain("greet");
    classes();
    numbers();
    texts();
    characters();
    codes();
    printf("%s\n", setlocale(LC_NUMERIC, "C"));
    numbers();
    setlocale(LC_ALL, "C");
    classes();
    numbers();
    printf("same table again %d\n", plain == kept_table);
    other_locales();
    return 0;
}
