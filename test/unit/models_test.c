/*
 * Models: what the text says is in the table, a later source beats an earlier
 * one, damage is noticed, and the built-in table is the built-in text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "models/models.h"

/* Compiles texts one after the other; NULL ends them. */
static struct model_table *compile(const char *const *texts) {
    struct models *models = models_new();
    struct model_table *table = NULL;
    struct error *err = NULL;
    for (size_t i = 0; texts[i] && !err; i++)
        err = models_parse(models, "test.model", texts[i], strlen(texts[i]));
    if (!err)
        err = models_compile(models, &table);
    models_free(models);
    if (err)
        fail_msg("%s", err->message);
    assert_null(model_table_check(table, table->size));
    return table;
}

static struct model_table *compile_one(const char *text) {
    return compile((const char *const[]){text, NULL});
}

static const struct model_function *find(const struct model_table *table, const char *name) {
    const struct model_function *function = model_table_find(table, name);
    assert_non_null(function);
    assert_string_equal(model_table_text(table, function->name), name);
    return function;
}

static const struct model_length *length_of(const struct model_table *table, const char *name,
                                            uint32_t number) {
    const struct model_function *function = find(table, name);
    assert_true(number < function->param_count);
    return model_table_length(table, model_table_param(table, function, number)->length);
}

static void assert_term(struct model_term term, enum model_term_kind kind, uint32_t value) {
    assert_int_equal(term.kind, kind);
    assert_int_equal(term.value, value);
}

/* --- language ------------------------------------------------------------------- */

static void test_read(void **state) {
    (void)state;
    struct model_table *table =
        compile_one("group \"Descriptors\"; typedef long ssize_t; typedef unsigned long size_t;\n"
                    "ssize_t read(int fd, void *buf: out[ret max n], size_t n) errno, fails if ret "
                    "< 0, blocks\n"
                    "    also __read;");
    const struct model_function *read = find(table, "read"), *other = find(table, "__read");
    assert_int_equal(table->function_count, 2);
    assert_int_equal(read->class, MODEL_LOGGED);
    assert_int_equal(read->result, MODEL_RESULT_LONG);
    assert_int_equal(read->failure, MODEL_FAILS_NEGATIVE);
    assert_int_equal(read->flags, MODEL_ERRNO | MODEL_BLOCKS);
    assert_int_equal(read->param_count, 3);
    assert_int_equal(read->first_param, other->first_param);
    assert_string_equal(model_table_text(table, read->group), "Descriptors");
    assert_int_equal(model_table_param(table, read, 0)->kind, MODEL_PARAM_INT);
    assert_int_equal(model_table_param(table, read, 1)->kind, MODEL_PARAM_OUT);
    assert_int_equal(model_table_param(table, read, 2)->kind, MODEL_PARAM_LONG);
    assert_string_equal(model_table_text(table, model_table_param(table, read, 1)->name), "buf");
    const struct model_length *length = length_of(table, "read", 1);
    assert_term(length->factor[0], MODEL_TERM_RESULT, 0);
    assert_term(length->factor[1], MODEL_TERM_NONE, 0);
    assert_term(length->limit, MODEL_TERM_PARAM, 2);
    assert_int_equal(length->element, 1);
    assert_null(model_table_find(table, "rea"));
    assert_null(model_table_find(table, "reads"));
    assert_null(model_table_find(table, ""));
    free(table);
}

static void test_lengths(void **state) {
    (void)state;
    struct model_table *table = compile_one(
        "type struct pair 8; typedef unsigned long size_t; typedef int wchar_t;\n"
        "int elements(struct pair *p: out[n], int n);\n"
        "int bytes(struct pair *p: out[n bytes], int n);\n"
        "int one(struct pair *p: inout);\n"
        "int array(int p[3]: out);\n"
        "int product(void *p: out[n * size], size_t n, size_t size);\n"
        "int indirect(char *p: out[*n], unsigned *n: inout, size_t *m: inout, int *q: out[*m]);\n"
        "int extra(void *p: out[ret + 8], int *q: in[2 + 3]);\n"
        "int text(const char *s: string, const wchar_t *w: string[n], int n);\n"
        "int pointers(char **p: out);");
    assert_int_equal(length_of(table, "elements", 0)->element, 8);
    assert_int_equal(length_of(table, "bytes", 0)->element, 1);
    assert_term(length_of(table, "one", 0)->factor[0], MODEL_TERM_CONSTANT, 1);
    assert_term(length_of(table, "array", 0)->factor[0], MODEL_TERM_CONSTANT, 3);
    assert_int_equal(length_of(table, "array", 0)->element, 4);
    assert_term(length_of(table, "product", 0)->factor[0], MODEL_TERM_PARAM, 1);
    assert_term(length_of(table, "product", 0)->factor[1], MODEL_TERM_PARAM, 2);
    assert_term(length_of(table, "indirect", 0)->factor[0], MODEL_TERM_DEREF32, 1);
    assert_term(length_of(table, "indirect", 3)->factor[0], MODEL_TERM_DEREF64, 2);
    assert_int_equal(length_of(table, "extra", 0)->extra, 8);
    assert_int_equal(length_of(table, "extra", 1)->extra, 12);
    assert_int_equal(length_of(table, "text", 0)->factor[0].kind, MODEL_TERM_NONE);
    assert_int_equal(length_of(table, "text", 0)->element, 1);
    assert_int_equal(length_of(table, "text", 1)->element, 4);
    assert_term(length_of(table, "text", 1)->factor[0], MODEL_TERM_PARAM, 2);
    assert_int_equal(length_of(table, "pointers", 0)->element, 8);
    free(table);
}

static void test_kinds(void **state) {
    (void)state;
    struct model_table *table = compile_one(
        "typedef struct file FILE: handle; typedef void *desc_t: handle; typedef void (*fn)(int);\n"
        "int f(short a, unsigned char b, long long c, float d, double e, long double g, FILE *h,\n"
        "    desc_t i, fn j, int (*k)(const char *, void (*)(int)), va_list l, enum x m);\n"
        "int g(double complex z, float complex y, const char *s: in kept, struct p q: long);\n"
        "deterministic long double complex h(long double complex z);\n"
        "int v(int a, ..., long b);");
    static const enum model_param_kind wanted[] = {
        MODEL_PARAM_INT,      MODEL_PARAM_UNSIGNED,   MODEL_PARAM_LONG,   MODEL_PARAM_FLOAT,
        MODEL_PARAM_DOUBLE,   MODEL_PARAM_LONGDOUBLE, MODEL_PARAM_HANDLE, MODEL_PARAM_HANDLE,
        MODEL_PARAM_FUNCTION, MODEL_PARAM_FUNCTION,   MODEL_PARAM_VALIST, MODEL_PARAM_UNSIGNED,
    };
    const struct model_function *f = find(table, "f"), *g = find(table, "g");
    assert_int_equal(f->param_count, sizeof wanted / sizeof *wanted);
    for (uint32_t i = 0; i < f->param_count; i++)
        assert_int_equal(model_table_param(table, f, i)->kind, wanted[i]);
    assert_int_equal(g->param_count, 5); /* a complex number takes two places */
    assert_int_equal(model_table_param(table, g, 1)->kind, MODEL_PARAM_DOUBLE);
    assert_int_equal(model_table_param(table, g, 2)->kind, MODEL_PARAM_DOUBLE);
    assert_true(model_table_param(table, g, 3)->kept);
    assert_int_equal(model_table_param(table, g, 4)->kind, MODEL_PARAM_LONG);
    assert_int_equal(find(table, "h")->result, MODEL_RESULT_LONGCOMPLEX);
    const struct model_function *v = find(table, "v");
    assert_int_equal(v->flags, MODEL_VARIADIC);
    assert_false(model_table_param(table, v, 0)->optional);
    assert_true(model_table_param(table, v, 1)->optional);
    free(table);
}

static void test_results_and_flows(void **state) {
    (void)state;
    struct model_table *table = compile_one(
        "type struct list 24 { name 0 string; data 8 bytes[size 20]; next 8 struct list; };\n"
        "type struct box 16 sized by length 2 { list 8 struct list; };\n"
        "struct box *box(void) returns static;\n"
        "int lists(struct list **list: out pointer, struct box *b: out object);\n"
        "deterministic char *tail(char *s: inout string, int (*f)(int), char **e: out)\n"
        "    returns in s, calls f with s and e, stores s in e, copies s to ret, may return e;\n"
        "deterministic char *next(char **s: inout) returns value, loads from s;\n"
        "int at_end(void (*f)(void)) calls f;\n"
        "refused int no(void) because \"never\";");
    const struct model_function *box = find(table, "box");
    const struct model_type *type = model_table_type(table, box->result_type);
    assert_int_equal(box->result, MODEL_RESULT_STATIC_TYPE);
    assert_string_equal(model_table_text(table, type->name), "struct box");
    assert_int_equal(type->size_offset, 2);
    const struct model_field *field = model_table_field(table, type, 0);
    const struct model_type *list = model_table_type(table, field->type);
    assert_string_equal(model_table_text(table, list->name), "struct list");
    assert_int_equal(list->field_count, 3);
    assert_int_equal(model_table_field(table, list, 1)->count, 20);
    assert_ptr_equal(model_table_type(table, model_table_field(table, list, 2)->type), list);
    assert_int_equal(model_table_param(table, find(table, "lists"), 0)->type, field->type);
    const struct model_function *tail = find(table, "tail");
    assert_int_equal(tail->result, MODEL_RESULT_INTO);
    assert_int_equal(tail->call_count, 5);
    static const struct model_call wanted[] = {
        {MODEL_CALLS, 0, 1, 0},
        {MODEL_CALLS, 2, 1, 0},
        {MODEL_STORES, 0, 2, 0},
        {MODEL_COPIES, 0, MODEL_PLACE_RESULT, 0},
        {MODEL_RETURNS, 2, MODEL_PLACE_RESULT, 0},
    };
    assert_memory_equal(model_table_call(table, tail, 0), wanted, sizeof wanted);
    assert_int_equal(model_table_call(table, find(table, "next"), 0)->kind, MODEL_LOADS);
    assert_int_equal(model_table_call(table, find(table, "at_end"), 0)->from, MODEL_PLACE_NONE);
    assert_string_equal(model_table_text(table, find(table, "no")->reason), "never");
    free(table);
}

static void test_forms(void **state) {
    (void)state;
    struct model_table *table = compile_one(
        "deterministic double modf(double x, double *whole: out, long double y) forms f l\n"
        "    also split;\n"
        "double after(double x);");
    assert_int_equal(table->function_count, 7);
    assert_int_equal(find(table, "modff")->result, MODEL_RESULT_FLOAT);
    assert_int_equal(find(table, "splitl")->result, MODEL_RESULT_LONGDOUBLE);
    assert_int_equal(length_of(table, "modff", 1)->element, 4);
    assert_int_equal(length_of(table, "modf", 1)->element, 8);
    assert_int_equal(length_of(table, "modfl", 1)->element, 16);
    assert_int_equal(model_table_param(table, find(table, "modff"), 2)->kind,
                     MODEL_PARAM_LONGDOUBLE);
    assert_int_equal(find(table, "after")->result, MODEL_RESULT_DOUBLE);
    free(table);
}

/* --- several sources ------------------------------------------------------------ */

static void test_override(void **state) {
    (void)state;
    struct model_table *table = compile(
        (const char *const[]){"typedef int fd_t; int open(fd_t at) also open64; int other(void);",
                              "deterministic long open(fd_t at, int more);", NULL});
    assert_int_equal(table->function_count, 3);
    assert_int_equal(find(table, "open")->class, MODEL_DETERMINISTIC);
    assert_int_equal(find(table, "open")->param_count, 2);
    assert_int_equal(find(table, "open64")->class, MODEL_LOGGED);
    free(table);
}

static void test_user_file(void **state) {
    (void)state;
    char path[] = "/tmp/recut-models-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("group \"Mine\"; FILE *my_open(struct stat *s: out) errno;\n"
          "deterministic int rand(void);\n",
          file);
    fclose(file);
    struct model_table *table;
    assert_null(models_load((const char *const[]){path}, 1, &table));
    assert_null(model_table_check(table, table->size));
    assert_int_equal(length_of(table, "my_open", 0)->element, 144);
    assert_int_equal(find(table, "rand")->class, MODEL_DETERMINISTIC);
    assert_int_equal(table->function_count, model_table_builtin()->function_count + 1);
    free(table);
    remove(path);
    struct error *err = models_load((const char *const[]){path}, 1, &table);
    assert_non_null(err);
    assert_int_equal(err->code, ERROR_FAILED);
    error_free(err);
}

static void test_builtin(void **state) {
    (void)state;
    const struct model_table *builtin = model_table_builtin();
    assert_null(model_table_check(builtin, builtin->size));
    struct model_table *table;
    assert_null(models_load(NULL, 0, &table));
    assert_int_equal(table->size, builtin->size);
    assert_memory_equal(table, builtin, table->size);
    print_message("# %u functions, %u bytes\n", builtin->function_count, builtin->size);
    assert_true(builtin->function_count >= 450);
    for (uint32_t i = 0; i < builtin->function_count; i++) {
        const struct model_function *function = model_table_function(builtin, i);
        assert_ptr_equal(model_table_find(builtin, model_table_text(builtin, function->name)),
                         function);
        assert_true(*model_table_text(builtin, function->group));
    }
    free(table);
}

/* --- damage --------------------------------------------------------------------- */

static void assert_wrong(struct model_table *table, const char *what) {
    table->hash = model_table_hash(table);
    const char *wrong = model_table_check(table, table->size);
    assert_non_null(wrong);
    assert_string_equal(wrong, what);
}

#define BASE                                                                                       \
    "type struct list 16 { name 0 string; next 8 struct list; };\n"                                \
    "struct list *a(int n, char *s: out[n]) returns static;\n"                                     \
    "char *b(char *s: string, int (*f)(void)) returns in s, calls f with s;"

/* Damages a fresh table by `change`, in which it is t. */
#define DAMAGED(what, change)                                                                      \
    do {                                                                                           \
        struct model_table *t = compile_one(BASE);                                                 \
        struct model_function *a = (struct model_function *)find(t, "a"),                          \
                              *b = (struct model_function *)find(t, "b");                          \
        struct model_param *params = (struct model_param *)model_table_param(t, a, 0);             \
        struct model_length *length =                                                              \
            (struct model_length *)model_table_length(t, params[1].length);                        \
        struct model_type *type = (struct model_type *)model_table_type(t, 1);                     \
        struct model_field *fields = (struct model_field *)model_table_field(t, type, 0);          \
        struct model_call *call = (struct model_call *)model_table_call(t, b, 0);                  \
        (void)a, (void)b, (void)length, (void)fields, (void)call;                                  \
        change;                                                                                    \
        assert_wrong(t, what);                                                                     \
        free(t);                                                                                   \
    } while (0)

static void test_damage(void **state) {
    (void)state;
    DAMAGED("it is no table of models", t->magic++);
    DAMAGED("its models are of another version of recut", t->version++);
    DAMAGED("an array lies outside of it", t->functions = t->size - 8);
    DAMAGED("an array lies outside of it", t->params = UINT32_MAX - 3);
    DAMAGED("an array lies outside of it", t->function_count = UINT32_MAX);
    DAMAGED("an array lies outside of it", t->text++);
    DAMAGED("an array has no first entry", t->type_count = 0);
    DAMAGED("its text has no end", t->text_size--);
    DAMAGED("names that are not in order", b->name = a->name);
    DAMAGED("a name outside of its text", b->name = t->text_size);
    DAMAGED("a string outside of its text", b->group = t->text_size);
    DAMAGED("a function of an unknown kind", b->class = MODEL_CLASS_COUNT);
    DAMAGED("parameters that are not there", b->first_param = UINT32_MAX);
    DAMAGED("parameters that are not there", b->param_count = MODEL_MAX_PARAMS + 1);
    DAMAGED("flows that are not there", b->call_count = 2);
    DAMAGED("a result that no parameter has", b->result_param = 2);
    DAMAGED("a result with a type that it cannot have", a->result_type = 0);
    DAMAGED("a result with a type that it cannot have", a->result_type = t->type_count);
    DAMAGED("a parameter of an unknown kind", params[0].kind = MODEL_PARAM_COUNT);
    DAMAGED("a parameter with flags that are not known", params[0].kept = 2);
    DAMAGED("a parameter with a length that it cannot have", params[1].length = t->length_count);
    DAMAGED("a parameter with a length that it cannot have", params[0].length = 1);
    DAMAGED("a parameter without its type", params[0].kind = MODEL_PARAM_OUT_TYPE);
    DAMAGED("a length that no parameter has", length->factor[0].value = 2);
    DAMAGED("a length that no parameter has", length->factor[0].value = 1);
    DAMAGED("a term of an unknown kind", length->factor[0].kind = MODEL_TERM_KIND_COUNT);
    DAMAGED("a length that is not returned",
            (length->factor[0] = (struct model_term){MODEL_TERM_RESULT, 0}));
    DAMAGED("a length of elements of no size", length->element = 0);
    DAMAGED("a length without its first term", length->factor[0] = (struct model_term){0};
            length->extra = 1);
    DAMAGED("a field outside of its object", fields[1].offset = 9);
    DAMAGED("a field of an unknown kind", fields[1].kind = MODEL_FIELD_KIND_COUNT);
    DAMAGED("types in a circle", fields[1].type = 2);
    DAMAGED("types in a circle", fields[0] = fields[1]);
    DAMAGED("a flow from nowhere", call->from = 2);
    DAMAGED("a flow to nowhere", call->to = MODEL_PLACE_RESULT);
    DAMAGED("a call of what is no function", call->to = 0);
    DAMAGED("a flow of an unknown kind", call->kind = MODEL_CALL_KIND_COUNT);
}

/* Every single bit counts. */
static void test_every_bit(void **state) {
    (void)state;
    struct model_table *table = compile_one(BASE);
    for (size_t i = 0; i < table->size * 8u; i++) {
        uint8_t *byte = (uint8_t *)table + i / 8;
        size_t size = table->size;
        *byte ^= (uint8_t)(1 << i % 8);
        assert_non_null(model_table_check(table, size));
        *byte ^= (uint8_t)(1 << i % 8);
    }
    for (size_t size = 0; size < table->size; size++)
        assert_non_null(model_table_check(table, size));
    assert_null(model_table_check(table, table->size));
    free(table);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),      cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_results_and_flows),
        cmocka_unit_test(test_forms),     cmocka_unit_test(test_override),
        cmocka_unit_test(test_user_file), cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_damage),    cmocka_unit_test(test_every_bit),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
