/* The command line of a C compiler, classified; see args.h. */
#include "cc/args.h"

#include <ctype.h>
#include <string.h>

#include "base/io.h"

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *text, const char *const *list) {
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

/* Options whose value is the next word. Those that also take it joined (-I,
 * -L, ...) are only listed in their separate form. */
static const char *const separate[] = {
    "-o",
    "-x",
    "-I",
    "-L",
    "-l",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-mllvm",
    "-T",
    "-u",
    "-e",
    "-z",
    "-target",
    "--target",
    "-arch",
    "-B",
    "--param",
    "-A",
    "-aux-info",
    "-G",
    "--sysroot",
    "-specs",
    "-dumpdir",
    "-F",
    "-framework",
    "-rpath",
    "-undefined",
    "--config",
    "-working-directory",
    "-resource-dir",
    "-gcc-toolchain",
    "-fplugin",
    "-plugin",
    "-main-file-name",
    "-cxx-isystem",
    "-h",
    NULL,
};

static const char *const pass_options[] = {
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--version",
    "-dumpversion",
    "-dumpmachine",
    "--help",
    "-###",
    "-emit-llvm",
    "--analyze",
    "-dM",
    "-print-search-dirs",
    "-print-libgcc-file-name",
    "--print-search-dirs",
    "-print-resource-dir",
    "-print-targets",
    "-print-multi-lib",
    "-print-multi-directory",
    "-print-supported-cpus",
    "--precompile",
    "-verify-pch",
    "-dumpspecs",
    "-print-effective-triple",
    "-print-target-triple",
    "-print-multi-os-directory",
    "-print-sysroot",
    "-print-runtime-dir",
    "-print-rocm-search-dirs",
    "-cc1",
    "-cc1as",
    "-rewrite-objc",
    NULL,
};

static const struct {
    const char *option, *reason;
} refused[] = {
    {"-m32", "recut works on x86-64 only"},
    {"-mx32", "recut works on x86-64 only"},
    {"-fsplit-stack", "locals live on recut's own data stack"},
};

/* What a file name alone says about its language, as clang sees it. */
static enum arg_kind kind_by_name(const char *path) {
    static const char *const c[] = {".c", ".i", ".bc", ".ll", NULL};
    static const char *const other[] = {".s",   ".S",  ".sx",  ".cc", ".cpp", ".cxx", ".C",
                                        ".c++", ".cp", ".CPP", ".ii", ".m",   ".mm",  NULL};
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (dot && is_one_of(dot, c))
        return ARG_C;
    if (dot && is_one_of(dot, other))
        return ARG_OTHER;
    return ARG_FILE;
}

static enum arg_kind kind_of_input(const char *path, const char *language) {
    if (!language)
        return strcmp(path, "-") == 0 ? ARG_C : kind_by_name(path);
    if (strcmp(language, "c") == 0 || strcmp(language, "cpp-output") == 0 ||
        strcmp(language, "c-header") == 0 || strcmp(language, "ir") == 0)
        return ARG_C;
    return ARG_OTHER;
}

/* Splits a response file into words, by the rules that gcc and clang share:
 * white space separates, quotes group, a backslash takes the next character. */
static void split_words(const char *text, char ***words, size_t *count, size_t *capacity) {
    VEC(char *) out = {*words, *count, *capacity};
    while (*text) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            break;
        char *word = mem_alloc(strlen(text) + 1), *end = word;
        char quote = '\0';
        for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
            if (*text == '\\' && text[1])
                *end++ = *++text;
            else if (quote ? *text == quote : *text == '"' || *text == '\'')
                quote = quote ? '\0' : *text;
            else
                *end++ = *text;
        }
        *end = '\0';
        VEC_PUSH(&out, word);
    }
    *words = out.data;
    *count = out.count;
    *capacity = out.capacity;
}

struct words {
    char **data;
    size_t count, capacity;
};

static void expand(const char *word, unsigned depth, struct words *out) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err CLEANUP_ERROR = NULL;
    if (word[0] != '@' || depth > 16 || (err = io_read_file(word + 1, &text, &size))) {
        VEC_PUSH(out, mem_strdup(word)); /* a name that begins with @, as clang takes it */
        return;
    }
    struct words inner = {0};
    split_words(text, &inner.data, &inner.count, &inner.capacity);
    for (size_t i = 0; i < inner.count; i++)
        expand(inner.data[i], depth + 1, out);
}

/* Does the linker print or write something on the side for this? */
static bool is_once(const char *word) {
    static const char *const exact[] = {"-M",     "-t",      "--print-map", "--print-gc-sections",
                                        "--cref", "--trace", "-Map",        "--Map",
                                        NULL};
    return is_one_of(word, exact) || starts(word, "-Map=") || starts(word, "--Map=") ||
           starts(word, "--dependency-file");
}

static bool is_relocatable_or_shared(const char *word) {
    static const char *const exact[] = {"-r",          "-i", "--relocatable", "-shared", "--shared",
                                        "-Bshareable", NULL};
    return is_one_of(word, exact);
}

static bool is_dropped(const char *text) {
    static const char *const exact[] = {"-pie",
                                        "-static-pie",
                                        "-fwhole-program",
                                        "-ffat-lto-objects",
                                        "-fno-fat-lto-objects",
                                        "-fno-lto",
                                        "-no-pie",
                                        "-nopie",
                                        NULL};
    return is_one_of(text, exact) || starts(text, "-flto") || starts(text, "-fuse-ld=") ||
           starts(text, "--ld-path=") || starts(text, "-fembed-bitcode");
}

static struct error *check_refused(const char *text) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(text, refused[i].option) == 0)
            return error_new(ERROR_FAILED, "%s is refused: %s", text, refused[i].reason);
    if (starts(text, "-fsanitize=") && text[11])
        return error_new(ERROR_FAILED,
                         "%s is refused: sanitizers bring their own heap and stack, which recut "
                         "replaces; RECUT_CC_PLAIN=1 builds without recut",
                         text);
    return NULL;
}

/* One word for the linker; *previous is the one before it. */
static void note_linker_word(struct cc_args *args, const char *word, const char **previous,
                             bool *ret_once) {
    if (is_one_of(*previous, (const char *const[]){"--wrap", "-wrap", NULL}))
        VEC_PUSH(&args->wrapped, word);
    else if (starts(word, "--wrap=") || starts(word, "-wrap="))
        VEC_PUSH(&args->wrapped, strchr(word, '=') + 1);
    else if (is_relocatable_or_shared(word) && args->mode == CC_LINK)
        args->mode = CC_LINK_PLAIN;
    *ret_once |= is_once(word);
    *previous = word;
}

/* -Wl,WORD,WORD…  A `--wrap` at its end waits for the next. */
static void note_linker_words(struct cc_args *args, const char *text, const char **previous,
                              bool *ret_once) {
    for (const char *at = text + strlen("-Wl,"); *at;) {
        size_t length = strcspn(at, ",");
        note_linker_word(args, mem_strndup(at, length), previous, ret_once);
        at += length + (at[length] == ',');
    }
}

static void note_option(struct cc_args *args, const char *text) {
    if (strcmp(text, "-c") == 0 && args->mode != CC_PASS)
        args->mode = CC_COMPILE;
    else if (is_one_of(text, pass_options) || starts(text, "-print-file-name=") ||
             starts(text, "-print-prog-name=") || starts(text, "--print-"))
        args->mode = CC_PASS;
    else if (args->mode == CC_LINK && (strcmp(text, "-shared") == 0 || strcmp(text, "-r") == 0))
        args->mode = CC_LINK_PLAIN;
    if (strcmp(text, "-static") == 0 || strcmp(text, "-static-pie") == 0)
        args->is_static = true;
    if (strcmp(text, "-nostdlib") == 0 || strcmp(text, "-nostartfiles") == 0 ||
        strcmp(text, "-nolibc") == 0 || strcmp(text, "-nodefaultlibs") == 0)
        args->no_start_files = true;
    if (text[0] == '-' && text[1] == 'O') {
        const char *level = text + 2;
        args->opt_level = *level == '\0'                   ? 1
                          : isdigit((unsigned char)*level) ? (unsigned)(*level - '0')
                                                           : 2;
    }
}

struct error *cc_args_parse(int argc, char **argv, struct cc_args *ret) {
    struct cc_args args = {.mode = CC_LINK, .opt_level = 2};
    struct words words = {0};
    for (int i = 1; i < argc; i++)
        expand(argv[i], 0, &words);
    const char *language = NULL, *linker_word = "";
    bool inputs = false;
    for (size_t i = 0; i < words.count; i++) {
        const char *text = words.data[i];
        struct arg arg = {.kind = ARG_OPTION, .text = text};
        struct error *err = check_refused(text);
        if (err)
            return err;
        if (text[0] != '-' || text[1] == '\0') {
            arg.kind = kind_of_input(text, language);
            arg.language = language;
            inputs = true;
        } else if (is_one_of(text, separate)) {
            arg.value = i + 1 < words.count ? words.data[++i] : NULL;
            if (strcmp(text, "-o") == 0) {
                arg.kind = ARG_OUTPUT;
                args.output = arg.value;
            } else if (strcmp(text, "-l") == 0) {
                arg.kind = ARG_LIBRARY;
                arg.text = mem_printf("-l%s", arg.value ? arg.value : "");
                arg.value = NULL;
                inputs = true;
            } else if (strcmp(text, "-x") == 0) {
                language = arg.value && strcmp(arg.value, "none") != 0 ? arg.value : NULL;
                arg.kind = ARG_DROP;
            } else if (strcmp(text, "-Xlinker") == 0 && arg.value) {
                bool once = false;
                note_linker_word(&args, arg.value, &linker_word, &once);
            }
        } else if (starts(text, "-x")) {
            language = strcmp(text + 2, "none") != 0 ? text + 2 : NULL;
            arg.kind = ARG_DROP;
        } else if (starts(text, "-o")) {
            arg.kind = ARG_OUTPUT;
            args.output = text + 2;
        } else if (starts(text, "-l")) {
            arg.kind = ARG_LIBRARY;
            inputs = true;
        } else if (starts(text, "-Wl,")) {
            bool once = false;
            note_linker_words(&args, text, &linker_word, &once);
            if (once)
                arg.kind = ARG_ONCE;
        } else if (is_dropped(text)) {
            arg.kind = ARG_DROP;
            note_option(&args, text);
        } else {
            note_option(&args, text);
        }
        VEC_PUSH(&args.list, arg);
    }
    VEC_PUSH(&args.wrapped, NULL);
    if (!inputs)
        args.mode = CC_PASS; /* clang says what is missing, or prints what was asked for */
    *ret = args;
    return NULL;
}
