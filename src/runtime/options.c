/*
 * getopt and its relatives.
 *
 * libc's own would do in both runs, but for its messages: they go to a stream
 * that a replay has not.  So this is the same scan in the runtime's words, down
 * to the order in which arguments are exchanged; optarg, optind, opterr and
 * optopt are libc's variables.  Nothing is logged.
 */
#include <errno.h>
#include <getopt.h>
#include <libintl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/locale.h"
#include "runtime/message.h"
#include "runtime/special.h"

enum ordering { require_order, permute, return_in_order };

/* What stays from call to call. */
static struct {
    bool is_begun;
    enum ordering ordering;
    char *next;      /* in an argument that holds several options */
    int first, last; /* arguments that are no options and were passed over */
    int wrong;       /* what optopt is after every call */
} scan;

struct options {
    uint64_t from;
    int argc;
    char **argv;
    const char *letters;
    const struct option *names; /* NULL: only letters */
    int *index;
    bool names_only;
    bool prints;
};

static void say(const struct options *options, const char *format, ...) {
    struct message message;
    va_list args;
    if (!options->prints)
        return;
    va_start(args, format);
    __recut_message_begin(&message);
    message.is_logged = !__recut_locale_is_c;
    if (__recut_env_mode != ENV_REPLAY)
        format = dcgettext("libc", format, LC_MESSAGES);
    __recut_message_list(&message, format, args);
    __recut_message_end(&message, options->from, options->argv[0]);
    va_end(args);
}

/* Those that were passed over change places with the options that followed
 * them; both keep their order. */
static void exchange(char **argv) {
    int left = scan.first, middle = scan.last, right = optind;
    while (left < middle && middle < right) {
        int before = middle - left, after = right - middle;
        int count = before < after ? before : after;
        int other = after > before ? right - before : middle;
        for (int i = 0; i < count; i++) {
            char *argument = argv[left + i];
            argv[left + i] = argv[other + i];
            argv[other + i] = argument;
        }
        if (after > before)
            right -= count;
        else
            left += count;
    }
    scan.first += optind - scan.last;
    scan.last = optind;
}

static const char *begin(const char *letters, bool is_posix) {
    if (optind == 0)
        optind = 1;
    scan.first = scan.last = optind;
    scan.next = NULL;
    scan.is_begun = true;
    bool has_mark = *letters == '-' || *letters == '+';
    scan.ordering = *letters == '-'                     ? return_in_order
                    : *letters == '+' || is_posix       ? require_order
                    : getenv("POSIXLY_CORRECT") != NULL ? require_order
                                                        : permute;
    return letters + has_mark;
}

/* --- names ------------------------------------------------------------------------------- */

static bool is_other(const struct option *a, const struct option *b) {
    return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

/* The option that this is the name of, or the beginning of; -1: none; -2: of
 * several. */
static int find_name(const struct options *options, size_t length) {
    const struct option *names = options->names;
    int found = -1;
    bool several = false;
    for (int i = 0; names[i].name; i++)
        if (strncmp(names[i].name, scan.next, length) == 0 && strlen(names[i].name) == length)
            return i;
    for (int i = 0; names[i].name; i++) {
        if (strncmp(names[i].name, scan.next, length) != 0)
            continue;
        if (found < 0)
            found = i;
        else
            several |= options->names_only || is_other(&names[found], &names[i]);
    }
    return several ? -2 : found;
}

static void say_ambiguous(const struct options *options, size_t length, const char *prefix) {
    const struct option *names = options->names, *first = NULL;
    struct message message;
    const char *format = "%s: option '%s%s' is ambiguous; possibilities:";
    if (!options->prints)
        return;
    __recut_message_begin(&message);
    message.is_logged = !__recut_locale_is_c;
    if (__recut_env_mode != ENV_REPLAY)
        format = dcgettext("libc", format, LC_MESSAGES);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    __recut_message_add(&message, format, options->argv[0], prefix, scan.next);
#pragma GCC diagnostic pop
    for (; names->name; names++) {
        if (strncmp(names->name, scan.next, length) != 0)
            continue;
        if (!first || options->names_only || is_other(first, names))
            __recut_message_add(&message, " '%s%s'", prefix, names->name);
        first = first ? first : names;
    }
    __recut_message_add(&message, "\n");
    __recut_message_end(&message, options->from, options->argv[0]);
}

static int take_name(const struct options *options, const char *prefix) {
    size_t length = strcspn(scan.next, "=");
    char *end = scan.next + length;
    int index = find_name(options, length);
    if (index == -2) {
        say_ambiguous(options, length, prefix);
        scan.next += strlen(scan.next);
        optind++;
        scan.wrong = 0;
        return '?';
    }
    if (index == -1) {
        /* With one dash it may be letters. */
        if (options->names_only && options->argv[optind][1] != '-' &&
            strchr(options->letters, *scan.next))
            return -1;
        say(options, "%s: unrecognized option '%s%s'\n", options->argv[0], prefix, scan.next);
        scan.next = NULL;
        optind++;
        scan.wrong = 0;
        return '?';
    }
    const struct option *option = &options->names[index];
    optind++;
    scan.next = NULL;
    if (*end && !option->has_arg) {
        say(options, "%s: option '%s%s' doesn't allow an argument\n", options->argv[0], prefix,
            option->name);
        scan.wrong = option->val;
        return '?';
    }
    if (*end) {
        optarg = end + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= options->argc) {
            say(options, "%s: option '%s%s' requires an argument\n", options->argv[0], prefix,
                option->name);
            scan.wrong = option->val;
            return *options->letters == ':' ? ':' : '?';
        }
        optarg = options->argv[optind++];
    }
    if (options->index)
        *options->index = index;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* --- letters ----------------------------------------------------------------------------- */

static int is_missing(const struct options *options, char letter) {
    say(options, "%s: option requires an argument -- '%c'\n", options->argv[0], letter);
    scan.wrong = (unsigned char)letter;
    return *options->letters == ':' ? ':' : '?';
}

static int take_letter(const struct options *options) {
    char letter = *scan.next++;
    const char *found = strchr(options->letters, letter);
    if (!*scan.next)
        optind++;
    if (!found || letter == ':' || letter == ';') {
        say(options, "%s: invalid option -- '%c'\n", options->argv[0], letter);
        scan.wrong = (unsigned char)letter;
        return '?';
    }
    if (found[0] == 'W' && found[1] == ';' && options->names) {
        if (!*scan.next && optind == options->argc)
            return is_missing(options, letter);
        if (!*scan.next)
            scan.next = options->argv[optind];
        struct options names = *options;
        names.names_only = false;
        return take_name(&names, "-W ");
    }
    if (found[1] != ':')
        return (unsigned char)letter;
    int result = (unsigned char)letter;
    if (*scan.next) {
        optarg = scan.next;
        optind++;
    } else if (found[2] != ':') {
        if (optind == options->argc)
            result = is_missing(options, letter);
        else
            optarg = options->argv[optind++];
    }
    scan.next = NULL;
    return result;
}

/* --- arguments --------------------------------------------------------------------------- */

static bool is_no_option(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

/* Moves on to the next argument that is an option. True if there is one; else
 * *ret is what to return. */
static bool next_argument(const struct options *options, int *ret) {
    char **argv = options->argv;
    if (scan.last > optind)
        scan.last = optind;
    if (scan.first > optind)
        scan.first = optind;
    if (scan.ordering == permute) {
        if (scan.first != scan.last && scan.last != optind)
            exchange(argv);
        else if (scan.last != optind)
            scan.first = optind;
        while (optind < options->argc && is_no_option(argv[optind]))
            optind++;
        scan.last = optind;
    }
    if (optind != options->argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (scan.first != scan.last && scan.last != optind)
            exchange(argv);
        else if (scan.first == scan.last)
            scan.first = optind;
        scan.last = optind = options->argc;
    }
    *ret = -1;
    if (optind == options->argc) {
        if (scan.first != scan.last)
            optind = scan.first;
        return false;
    }
    if (!is_no_option(argv[optind]))
        return true;
    if (scan.ordering == require_order)
        return false;
    optarg = argv[optind++];
    *ret = 1;
    return false;
}

static int take_next(struct options *options, bool is_posix) {
    int result;
    if (options->argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !scan.is_begun)
        options->letters = begin(options->letters, is_posix);
    else if (*options->letters == '-' || *options->letters == '+')
        options->letters++;
    options->prints = opterr && *options->letters != ':';
    if (scan.next && *scan.next)
        return take_letter(options);
    if (!next_argument(options, &result))
        return result;
    char *argument = options->argv[optind];
    if (options->names && argument[1] == '-') {
        scan.next = argument + 2;
        return take_name(options, "--");
    }
    scan.next = argument + 1;
    if (options->names && options->names_only &&
        (argument[2] || !strchr(options->letters, argument[1]))) {
        result = take_name(options, "-");
        if (result != -1)
            return result;
    }
    scan.next = argument + 1;
    return take_letter(options);
}

static int get(struct options options, bool is_posix) {
    int result = take_next(&options, is_posix);
    optopt = scan.wrong;
    return result;
}

#define GETOPT(name, is_posix)                                                                     \
    int __recut_special_##name(int, char *const *, const char *);                                  \
    int __recut_special_##name(int argc, char *const *argv, const char *letters) {                 \
        struct options options = {                                                                 \
            .from = HERE, .argc = argc, .argv = (char **)argv, .letters = letters};                \
        return get(options, is_posix);                                                             \
    }
GETOPT(getopt, false)
GETOPT(__posix_getopt, true)

#define GETOPT_LONG(name, only)                                                                    \
    int __recut_special_##name(int, char *const *, const char *, const struct option *, int *);    \
    int __recut_special_##name(int argc, char *const *argv, const char *letters,                   \
                               const struct option *names, int *index) {                           \
        struct options options = {.from = HERE,                                                    \
                                  .argc = argc,                                                    \
                                  .argv = (char **)argv,                                           \
                                  .letters = letters,                                              \
                                  .names = names,                                                  \
                                  .index = index,                                                  \
                                  .names_only = only};                                             \
        return get(options, false);                                                                \
    }
GETOPT_LONG(getopt_long, false)
GETOPT_LONG(getopt_long_only, true)
