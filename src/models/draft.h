/*
 * Models between text and table: what the parser leaves for the compiler.
 *
 * Everything lives in the arena of struct models until models_free().
 */
#ifndef RECUT_MODELS_DRAFT_H
#define RECUT_MODELS_DRAFT_H

#include "base/arena.h"
#include "base/mem.h"
#include "models/lex.h"
#include "models/models.h"

/* --- C types --------------------------------------------------------------------- */

enum base_type {
    BASE_VOID,
    BASE_INTEGER,
    BASE_FLOAT,
    BASE_DOUBLE,
    BASE_LONGDOUBLE,
    BASE_FLOATCOMPLEX,
    BASE_COMPLEX,
    BASE_LONGCOMPLEX,
    BASE_OBJECT, /* struct, union, or what a typedef hides */
    BASE_FUNCTION,
    BASE_VALIST,
};

/* What a model needs to know of a C type: a base, with pointers to it. */
struct c_type {
    enum base_type base;
    bool is_signed;
    uint32_t size;                     /* of the base; 0 if it is not known */
    uint32_t pointers;                 /* int ** has two */
    uint32_t handle_at;                /* with so many pointers it is a handle; 0 never */
    const struct object_draft *object; /* BASE_OBJECT: if it was declared by `type` */
};

/* What follows `type`. */
struct field_draft {
    const char *name, *count_name;
    enum model_field_kind kind;
    uint32_t offset, count;
    const struct object_draft *object; /* MODEL_FIELD_TYPE */
};
struct object_draft {
    const char *name; /* "struct passwd", "regex_t" */
    const char *size_name;
    uint32_t size, size_offset;
    struct field_draft *fields;
    uint32_t field_count;
};

struct type_draft {
    const char *name; /* of a typedef, or "struct passwd" */
    struct c_type type;
    const char *target; /* typedef: as C writes it */
};

/* --- functions ------------------------------------------------------------------- */

struct param_draft {
    const char *name;
    struct c_type type;
    enum model_param_kind kind;
    bool kept, optional;
    struct model_length length;
    const struct object_draft *object;
};

struct function_draft {
    enum model_class class;
    enum model_result result;
    enum model_failure failure;
    enum model_descriptor descriptor;
    uint32_t flags, result_param;
    const struct object_draft *result_object;
    struct param_draft params[MODEL_MAX_PARAMS];
    uint32_t param_count, call_count;
    struct model_call calls[MODEL_MAX_PARAMS];
    const char *group, *reason;
    const char *c_result, *c_params; /* as C writes them */
};

/* A function's name, and the model that it has. */
struct name_draft {
    const char *name;
    const struct function_draft *function;
    const char *file;
    uint32_t source, serial; /* counted over all sources */
    uint32_t line, column;
    bool also; /* shares the model of another name */
};

struct models {
    struct arena arena;
    VEC(struct type_draft) types; /* the last one of a name counts */
    VEC(struct name_draft) names; /* likewise */
    uint32_t sources;
};

/* NULL if no type has this name. */
const struct type_draft *models_find_type(const struct models *models, const char *name,
                                          size_t length);

/* The names that count, in order; freed by the caller.  An error if one source
 * has a name twice. */
struct error *models_sort(const struct models *models, const struct name_draft ***ret,
                          size_t *ret_count);

/* --- parser ---------------------------------------------------------------------- */

struct parser {
    struct lexer lex;
    struct models *models;
    const char *file, *group;
    VEC(char) c; /* the C that was read, without what models add */
};

/* Takes a token that is part of C. */
void parse_c_token(struct parser *parser);
/* What was read of C since the last call. */
const char *parse_c_text(struct parser *parser);
/* A copy of a token's text. */
const char *parse_text(struct parser *parser, const struct token *token);
/* Takes a word of any kind; `wanted` is for the message. */
struct token parse_word(struct parser *parser, const char *wanted);
uint32_t parse_number(struct parser *parser, const char *wanted);

/* const unsigned long, struct stat, FILE … */
struct c_type parse_base(struct parser *parser);
/* What stands around a name: * * name, name[3], (*name)(…).  A name that is not
 * there has length 0; *ret_count is 0 without [N]. */
void parse_declarator(struct parser *parser, struct c_type *type, struct token *ret_name,
                      uint32_t *ret_count);
/* The type without one pointer: size of an element; 0 if it is not known. */
uint32_t c_type_element(const struct c_type *type);
bool c_type_is_handle(const struct c_type *type);

void parse_type_item(struct parser *parser);    /* behind `type` */
void parse_typedef_item(struct parser *parser); /* behind `typedef` */
/* (…) of a function. */
void parse_params(struct parser *parser, struct function_draft *function);
/* The number of a parameter; an error if there is none of this name. */
uint32_t parse_param_name(struct parser *parser, const struct function_draft *function);
/* What stands between ) and `also` or ;. `forms` has f and l set by a clause. */
struct parsed_forms {
    bool f, l;
};
void parse_clauses(struct parser *parser, struct function_draft *function,
                   const struct c_type *result, struct parsed_forms *forms);

#endif
