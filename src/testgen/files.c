/* What do all tests of a directory share?  See test.h. */
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "testgen/test.h"

static const char header[] =
    "/* What tests of recut use. */\n"
    "#include \"program.h\" /* types, functions and variables of the program, as it is now */\n"
    "\n"
    "struct recut_test {\n"
    "    /* Heap and stacks, at their old addresses, as the file has them. */\n"
    "    void (*memory)(const char *file, void *const *symbols, unsigned long stack);\n"
    "    /* What the environment answered: calls get it again, from this answer on. */\n"
    "    void (*answers)(const char *file, unsigned long first);\n"
    "    /* A variable, as the file has it. */\n"
    "    void (*variable)(const char *file, unsigned long number, void *to, unsigned long size);\n"
    "};\n"
    "\n"
    "int recut_test_main(const struct recut_test *recut);\n"
    "\n"
    "#define recut_text(to, text) __builtin_memcpy(to, text, sizeof text)\n"
    "#define recut_set(to, text)                                                            \\\n"
    "    (__builtin_memset(&(to), 0, sizeof(to)), __builtin_memcpy(&(to), text, sizeof text - 1))\n"
    "#define recut_pointer(variable, offset) (*(void **)((char *)&(variable) + (offset)))\n"
    "#define recut_words(to, ...) \\\n"
    "    __builtin_memcpy(&(to), (unsigned long[]){__VA_ARGS__}, sizeof(to))\n";

static const char makefile_rules[] =
    "RECUT ?= recut\n"
    "BUILD = build\n"
    "\n"
    "check: $(TESTS:%=$(BUILD)/%.so)\n"
    "\t@failed=0; for test in $(TESTS); do \\\n"
    "\t  if RECUT_TEST=$(CURDIR)/$(BUILD)/$$test.so $(PROG) >$(BUILD)/$$test.out 2>&1 </dev/null; "
    "\\\n"
    "\t  then echo \"pass  $$test\"; \\\n"
    "\t  else echo \"FAIL  $$test (exit $$?)\"; failed=1; fi; \\\n"
    "\tdone; exit $$failed\n"
    "\n"
    "all: $(TESTS:%=$(BUILD)/%.so)\n"
    "\n"
    "$(BUILD)/program.h: names $(PROG)\n"
    "\t@mkdir -p $(BUILD)\n"
    "\t$(RECUT) test --describe names -o $(BUILD) $(PROG)\n"
    "\n"
    "$(BUILD)/%.so: %.c recut_test.h $(BUILD)/program.h\n"
    "\t$(CC) -g -O0 -fPIC -shared -fno-builtin -fms-extensions -w -I$(BUILD) -I. \\\n"
    "\t  -DRECUT_DIRECTORY='\"$(CURDIR)\"' -o $@ $< $(BUILD)/program.ld\n"
    "\n"
    "clean:\n"
    "\trm -rf $(BUILD)\n"
    "\n"
    ".PHONY: check all clean\n";

static struct error *write_in(const char *directory, const char *name, const char *text) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name);
    return io_write_file(path, text, strlen(text));
}

/* One file for all tests, each of which begins somewhere in it. */
static struct error *write_answers(const struct test_suite *suite) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < suite->capture->answers.count; i++)
        fwrite(suite->capture->answers.data[i].bytes, suite->capture->answers.data[i].size, 1, out);
    fclose(out);
    char *path CLEANUP_FREE = mem_printf("%s/answers", suite->directory);
    struct error *err = io_write_file(path, text, size);
    free(text);
    return err;
}

struct error *test_write_common(const struct test_suite *suite, const struct names *names) {
    char *list = NULL, *makefile = NULL;
    size_t size;
    struct error *err = write_in(suite->directory, "recut_test.h", header);
    FILE *out = open_memstream(&list, &size);
    names_write(names, out);
    fclose(out);
    if (!err)
        err = write_in(suite->directory, "names", list);
    out = open_memstream(&makefile, &size);
    fprintf(out,
            "# Tests of a failure, by recut: `make check`.\nPROG ?= %s\nTESTS =", suite->program);
    for (size_t i = 0; i < suite->count; i++)
        fprintf(out, " %s", suite->tests[i]);
    fprintf(out, "\n%s", makefile_rules);
    fclose(out);
    if (!err)
        err = write_in(suite->directory, "Makefile", makefile);
    if (!err && suite->capture->answers.count)
        err = write_answers(suite);
    free(list);
    free(makefile);
    return err;
}
