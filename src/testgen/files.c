/* What do all tests of a directory share?  See test.h. */
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "format/layout.h"
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
    "    /* Functions that libraries called, and call again. */\n"
    "    void (*called)(void *const *functions);\n"
    "};\n"
    "\n"
    "#ifdef RECUT_NAME /* framework.c has the other */\n"
    "#define recut_test_main recut_test_body\n"
    "#endif\n"
    "int recut_test_main(const struct recut_test *recut);\n"
    "\n"
    "#define recut_text(to, text) __builtin_memcpy(to, text, sizeof text)\n"
    "#define recut_set(to, text)                                                            \\\n"
    "    (__builtin_memset(&(to), 0, sizeof(to)), __builtin_memcpy(&(to), text, sizeof text - 1))\n"
    "#define recut_pointer(variable, offset) (*(void **)((char *)&(variable) + (offset)))\n"
    "/* A variable of a library. */\n"
    "#define recut_import(name) ({ extern void *name; name; })\n"
    "/* What is not listed is zero. */\n"
    "#define recut_items(to, ...) \\\n"
    "    __builtin_memcpy(&(to), &(__typeof__(to)){__VA_ARGS__}, sizeof(to))\n"
    "#define recut_double(bits) ((union {unsigned long n; double d; }){bits}.d)\n"
    "#define recut_words(to, ...) \\\n"
    "    __builtin_memcpy(&(to), (unsigned long[]){__VA_ARGS__}, sizeof(to))\n";

/* The test itself is recut_test_body() then.  `recut test` wants to see how it fails, and no
 * framework between. */
static const char framework_head[] = "#include <stdlib.h>\n"
                                     "\n"
                                     "int recut_test_body(const void *recut);\n"
                                     "static const void *given;\n"
                                     "\n";
static const char cmocka[] =
    "static void expect_no_failure(void **state) {\n"
    "    (void)state;\n"
    "    recut_test_body(given);\n"
    "}\n"
    "\n"
    "int recut_test_main(const void *recut) {\n"
    "    const struct CMUnitTest tests[] = {{RECUT_NAME, expect_no_failure, 0, 0, 0}};\n"
    "    given = recut;\n"
    "    if (getenv(\"RECUT_TEST_REPORT\"))\n"
    "        return recut_test_body(recut);\n"
    "    return cmocka_run_group_tests_name(RECUT_NAME, tests, 0, 0);\n"
    "}\n";
static const char check[] = "START_TEST(expect_no_failure) { recut_test_body(given); }\n"
                            "END_TEST\n"
                            "\n"
                            "int recut_test_main(const void *recut) {\n"
                            "    given = recut;\n"
                            "    if (getenv(\"RECUT_TEST_REPORT\"))\n"
                            "        return recut_test_body(recut);\n"
                            "    Suite *suite = suite_create(RECUT_NAME);\n"
                            "    TCase *all = tcase_create(RECUT_NAME);\n"
                            "    tcase_add_test(all, expect_no_failure);\n"
                            "    suite_add_tcase(suite, all);\n"
                            "    SRunner *runner = srunner_create(suite);\n"
                            "    srunner_run_all(runner, CK_NORMAL);\n"
                            "    int failed = srunner_ntests_failed(runner);\n"
                            "    srunner_free(runner);\n"
                            "    return failed != 0;\n"
                            "}\n";

static const struct test_framework {
    const char *name, *includes, *code;
} frameworks[] = {
    {"cmocka",
     "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
     "#include <cmocka.h>\n",
     cmocka},
    {"check", "#include <check.h>\n", check},
};

const struct test_framework *test_framework_find(const char *name) {
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++)
        if (strcmp(name, frameworks[i].name) == 0)
            return &frameworks[i];
    return NULL;
}

static const char makefile_rules[] =
    "BUILD = build\n"
    "# Seconds that a test has: code that was mended may run in circles with what it is given.\n"
    "TIMEOUT ?= 60\n"
    "\n"
    "# A test of what is not there any more, or is called otherwise, is gone: neither good nor "
    "bad.\n"
    "check: $(BUILD)/program.h\n"
    "\t@$(MAKE) -s -k all 2>/dev/null; \\\n"
    "\tpassed=0; failed=0; for test in $(TESTS); do \\\n"
    "\t  if [ ! -e $(BUILD)/$$test.so ]; then \\\n"
    "\t    echo \"gone  $$test: $$(sed -n 's/.*error: //p' $(BUILD)/$$test.log | head -n 1)\"; \\\n"
    "\t  elif $(ENVIRONMENT) RECUT_TEST=$(CURDIR)/$(BUILD)/$$test.so timeout -k 5 $(TIMEOUT) "
    "$(PROG) \\\n"
    "\t    >$(BUILD)/$$test.out 2>&1 </dev/null; \\\n"
    "\t  then echo \"pass  $$test\"; passed=1; \\\n"
    "\t  else status=$$?; if [ $$status = 75 ]; \\\n"
    "\t  then echo \"full  $$test: it began with what was left of the stack\"; \\\n"
    "\t  elif [ $$status = 124 ]; \\\n"
    "\t  then echo \"FAIL  $$test (no end after $(TIMEOUT) s)\"; failed=1; \\\n"
    "\t  else echo \"FAIL  $$test (exit $$status)\"; failed=1; fi; fi; \\\n"
    "\tdone; [ $$failed = 0 ] && [ $$passed = 1 ]\n"
    "\n"
    "all: $(TESTS:%=$(BUILD)/%.so)\n"
    "\n"
    "# Another program is another reason to build.\n"
    "$(BUILD)/program: FORCE\n"
    "\t@mkdir -p $(BUILD)\n"
    "\t@echo '$(PROG)' | cmp -s - $@ || echo '$(PROG)' >$@\n"
    "FORCE:\n"
    "\n"
    "$(BUILD)/program.h: names $(PROG) $(BUILD)/program\n"
    "\t$(RECUT) test --describe names -o $(BUILD) $(PROG) || { rm -f $@; exit 1; }\n"
    "\n"
    "$(BUILD)/%.so: %.c recut_test.h $(BUILD)/program.h\n"
    "\t@rm -f $@\n"
    "\t$(CC) -g -O0 -fPIC -shared -fno-builtin -fms-extensions -w -I$(BUILD) -I. \\\n"
    "\t  -DRECUT_DIRECTORY='\"$(CURDIR)\"' $(FRAMEWORK) -o $@ $< $(BUILD)/program.ld $(LIBS) \\\n"
    "\t  2>$(BUILD)/$*.log || { cat $(BUILD)/$*.log >&2; exit 1; }\n"
    "\n"
    "clean:\n"
    "\trm -rf $(BUILD)\n"
    "\n"
    ".PHONY: check all clean FORCE\n";

/* What is there already stays as it is: nothing is to be built again. */
static struct error *write_in(const char *directory, const char *name, const char *text) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name), *now CLEANUP_FREE = NULL;
    size_t size = 0;
    struct error *missing CLEANUP_ERROR = io_read_file(path, &now, &size);
    if (!missing && size == strlen(text) && memcmp(now, text, size) == 0)
        return NULL;
    return io_write_file(path, text, strlen(text));
}

/* Functions are where another build has them: a test has a list of those that libraries call. */
static void write_answer(const struct capture *capture, const struct capture_memory *answer,
                         FILE *out) {
    struct capture_record record;
    struct capture_enter enter;
    memcpy(&record, answer->bytes, sizeof record);
    if (record.kind != CAPTURE_ENTER) {
        fwrite(answer->bytes, answer->size, 1, out);
        return;
    }
    const uint8_t *payload = answer->bytes + sizeof record;
    memcpy(&enter, payload, sizeof enter);
    uint64_t number = 0;
    while (number < capture->called.count && capture->called.data[number] != enter.function)
        number++;
    enter.function = number;
    capture_write(out, CAPTURE_ENTER, &enter, sizeof enter, payload + sizeof enter,
                  record.size - sizeof enter);
}

/* What a mended program reads there, nobody knows. */
static void write_mappings(const struct test_suite *suite, FILE *out) {
    char *text CLEANUP_FREE = mem_strndup((const char *)suite->mappings.data, suite->mappings.size);
    char *rest = text;
    for (const char *line; (line = strsep(&rest, "\n"));) {
        unsigned long long low, high;
        char mode[5] = "";
        if (sscanf(line, "%llx-%llx %4s", &low, &high, mode) != 3 || strncmp(mode, "rw", 2) != 0)
            continue;
        bool is_heap = strstr(line, "[heap]") || (!strpbrk(line, "/[") && low >= RECUT_BRK_END &&
                                                  high - low < CAPTURE_BLOCK_MOST);
        if (low < RECUT_BRK_END && !is_heap)
            continue;
        struct capture_library library = {low, high - low,
                                          suite->capture->program != NULL && is_heap};
        capture_write(out, CAPTURE_EXTENT, &library, sizeof library, "", 0);
    }
}

/* One file for all tests, each of which begins somewhere in it. */
static struct error *write_answers(const struct test_suite *suite) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    capture_write(out, CAPTURE_BUILD, "", 0, suite->build_id, BUILD_ID_SIZE);
    write_mappings(suite, out);
    for (size_t i = 0; i < suite->outside_count; i++)
        capture_write(out, CAPTURE_OUTSIDE, "", 0, suite->outside[i],
                      strlen(suite->outside[i]) + 1);
    for (size_t i = 0; i < suite->capture->answers.count; i++)
        write_answer(suite->capture, &suite->capture->answers.data[i], out);
    fclose(out);
    char *path CLEANUP_FREE = mem_printf("%s/answers", suite->directory);
    struct error *err = io_write_file(path, text, size);
    free(text);
    return err;
}

static struct error *write_framework(const struct test_suite *suite) {
    char *text CLEANUP_FREE =
        mem_printf("/* Tests as %s has them. */\n%s%s%s", suite->framework->name,
                   suite->framework->includes, framework_head, suite->framework->code);
    return write_in(suite->directory, "framework.c", text);
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
            "# Tests of a failure, by recut: `make check`.\nPROG ?= %s\n"
            "RECUT ?= $(or $(shell command -v recut),%s)\nTESTS =",
            suite->program, suite->recut);
    for (size_t i = 0; i < suite->count; i++)
        fprintf(out, " %s", suite->tests[i]);
    if (suite->framework)
        fprintf(out,
                "\nFRAMEWORK = framework.c -DRECUT_NAME='\"$*\"'\n"
                "LIBS = $(shell pkg-config --cflags --libs %s)",
                suite->framework->name);
    if (suite->exits_fail)
        fprintf(out, "\nENVIRONMENT = " EXITS_ENV "=1");
    fprintf(out, "\n%s", makefile_rules);
    fclose(out);
    if (!err && suite->framework)
        err = write_framework(suite);
    if (!err)
        err = write_in(suite->directory, "Makefile", makefile);
    if (!err)
        err = write_answers(suite);
    free(list);
    free(makefile);
    return err;
}
