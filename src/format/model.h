/*
 * Models of external functions, compiled: what src/models makes of its text
 * and the runtime, the analyses and `recut events` work from.
 *
 * A model says what a function outside the program reads, writes and returns
 * (docs/models.md has the language).  The compiled form is one flat block, so
 * that the runtime can use it as it lies in a file:
 *
 *   struct model_table                    counts, and where the arrays begin
 *   struct model_function [functions]     sorted by name (strcmp)
 *   struct model_param    [params]
 *   struct model_length   [lengths]       entry 0 has no terms: nothing, or no bound
 *   struct model_type     [types]         entry 0 is "no type"
 *   struct model_field    [fields]
 *   struct model_call     [calls]
 *   char                  [text]          NUL-terminated strings; offset 0 is ""
 *
 * Functions that are the same but for their name share their parameters and
 * calls.  A table is checked once and trusted afterwards; format/model_table.h
 * does that, and finds things in it.
 */
#ifndef RECUT_FORMAT_MODEL_H
#define RECUT_FORMAT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_MAGIC 0x314c444d54434552ULL /* "RECTMDL1" */
#define MODEL_VERSION 1
#define MODEL_MAX_PARAMS 16

/* What happens to a call in a recorded run and in its replay. */
#define MODEL_CLASSES(X)                                                                           \
    X(LOGGED, "logged")               /* called and logged; fed from the log */                    \
    X(OUTPUT, "output")               /* the same, and what went to a terminal is echoed */        \
    X(DETERMINISTIC, "deterministic") /* called in both */                                         \
    X(LOCALE, "locale")               /* deterministic while the locale is "C", else logged */     \
    X(NATIVE, "native")               /* called in both; it is part of replay space (exit) */      \
    X(SPECIAL, "special")             /* the runtime has code of its own for it */                 \
    X(REFUSED, "refused")             /* cannot be recorded; `reason` says why */

enum model_class {
#define X(id, name) MODEL_##id,
    MODEL_CLASSES(X)
#undef X
        MODEL_CLASS_COUNT
};

/* What a parameter is. Values are what its register holds; the rest are
 * pointers, and NULL is always allowed and means nothing is there. */
#define MODEL_PARAMS(X)                                                                            \
    X(INT, "int")                   /* signed, 32 bits or fewer; logged as a value */              \
    X(UNSIGNED, "unsigned")         /* unsigned, 32 bits or fewer */                               \
    X(LONG, "long")                 /* 64 bits */                                                  \
    X(FLOAT, "float")               /* in a vector register */                                     \
    X(DOUBLE, "double")             /* in a vector register */                                     \
    X(LONGDOUBLE, "x87")            /* 16 bytes on the stack */                                    \
                                    /* complex: two of its parts; float complex: one DOUBLE */     \
    X(HANDLE, "handle")             /* opaque pointer of the environment; logged as a value */     \
    X(FUNCTION, "function")         /* pointer to a function of the program */                     \
    X(POINTER, "pointer")           /* pointer that is only passed on; logged as a value */        \
    X(STRING, "string")             /* read up to its NUL or `length`; logged in full */           \
    X(STRINGS, "strings")           /* vector of strings that ends with NULL; logged in full */    \
    X(IN, "in")                     /* read for `length` bytes; a hash of them is logged */        \
    X(OUT, "out")                   /* written for `length` bytes; logged */                       \
    X(INOUT, "inout")               /* both */                                                     \
    X(OUT_STRING, "out string")     /* written up to and with a NUL, or `length`; logged */        \
    X(INOUT_STRING, "inout string") /* both */                                                     \
    X(OUT_TYPE, "out type") /* one object of `type` is written, pointers in it are followed */     \
    X(OUT_POINTER, "out pointer") /* a pointer is written; what it points to is `type` */          \
    X(IN_IOVEC, "iovec")          /* struct iovec[length], read */                                 \
    X(OUT_IOVEC, "out iovec")     /* struct iovec[length], filled for `ret` bytes in all */        \
    X(VALIST, "va_list")          /* the arguments of a format */                                  \
    X(UNUSED, "unused")           /* neither looked at nor logged */

enum model_param_kind {
#define X(id, name) MODEL_PARAM_##id,
    MODEL_PARAMS(X)
#undef X
        MODEL_PARAM_COUNT
};

/* What a function returns. */
#define MODEL_RESULTS(X)                                                                           \
    X(VOID, "void")                                                                                \
    X(INT, "int")           /* 32 bits, sign-extended */                                           \
    X(UNSIGNED, "unsigned") /* 32 bits, zero-extended; bool, and smaller ones too */               \
    X(LONG, "long")         /* 64 bits */                                                          \
    X(PAIR, "pair")         /* rax and rdx: div_t, ldiv_t */                                       \
    X(FLOAT, "float")                                                                              \
    X(DOUBLE, "double")                                                                            \
    X(COMPLEX, "complex") /* xmm0 and xmm1 */                                                      \
    X(LONGDOUBLE, "x87")                                                                           \
    X(LONGCOMPLEX, "x87 pair")        /* st0 and st1 */                                            \
    X(HANDLE, "handle")               /* opaque; the program sees the value of the recorded run */ \
    X(ARGUMENT, "argument")           /* NULL, or argument `result_param` as it was passed */      \
    X(INTO, "into")                   /* NULL, or a pointer into what `result_param` points to */  \
    X(STATIC_STRING, "static string") /* a string that the next call may overwrite */              \
    X(STATIC_TYPE, "static type")     /* an object of `result_type`, likewise */                   \
    X(OWNED_STRING, "owned string")   /* a string that the program frees with free() */            \
    X(NEW, "new") /* NULL, or memory of replay space that nothing else points to */                \
    X(LASTING_STRING, "lasting string") /* a string that stays as it is: each text has its place   \
                                         */

enum model_result {
#define X(id, name) MODEL_RESULT_##id,
    MODEL_RESULTS(X)
#undef X
        MODEL_RESULT_COUNT
};

/* When nothing was written to out parameters. */
enum model_failure {
    MODEL_NEVER_FAILS,
    MODEL_FAILS_NEGATIVE, /* ret < 0 */
    MODEL_FAILS_ZERO,     /* ret == 0, also NULL */
    MODEL_FAILS_NONZERO,  /* ret != 0 */
    /* And errno has been set then. */
    MODEL_FAILS_NEGATIVE_ERRNO,
    MODEL_FAILS_ZERO_ERRNO,
    MODEL_FAILURE_COUNT
};

/* What happens to descriptors: which output is echoed in replay follows it. */
enum model_descriptor {
    MODEL_NO_DESCRIPTOR,
    MODEL_OPENS,      /* returns a new descriptor */
    MODEL_DUPLICATES, /* returns a copy of parameter 0 */
    MODEL_CLOSES,     /* parameter 0 */
    MODEL_DESCRIPTOR_COUNT
};

enum model_flags {
    MODEL_ERRNO = 1,    /* may set errno */
    MODEL_VARIADIC = 2, /* more arguments follow the last parameter */
    MODEL_NORETURN = 4,
    MODEL_BLOCKS = 8,   /* may wait for a long time */
    MODEL_PURE = 16,    /* reads no memory but through its parameters, writes none */
    MODEL_SCANS = 32,   /* writes through the arguments that its format asks for (scanf) */
    MODEL_ORDERS = 128, /* works on an object that orders threads, whose contents are libc's: a
                           replay has an object of its own there (runtime/sync.c) */
    MODEL_DEEP = 64,    /* follows pointers in what its parameters point to: may read and write
                           all that they reach (strsep) */
};

/* Number of bytes:  element * min(factor[0] * factor[1], limit) + extra.
 * Terms that are not there are MODEL_TERM_NONE; without factor[0] it is nothing,
 * for strings: no bound.  The product saturates; a negative term is 0.
 * Of a vector of iovec it is the number of those, and `element` is 1. */
enum model_term_kind {
    MODEL_TERM_NONE,
    MODEL_TERM_CONSTANT, /* `value` */
    MODEL_TERM_PARAM,    /* parameter number `value` */
    MODEL_TERM_DEREF32,  /* the 32-bit number that parameter `value` points to: the smaller of
                            what it is before and after the call */
    MODEL_TERM_DEREF64,
    MODEL_TERM_RESULT, /* what the function returned */
    MODEL_TERM_KIND_COUNT
};

struct model_term {
    uint32_t kind, value;
};

struct model_length {
    struct model_term factor[2], limit;
    uint32_t element; /* bytes of one; of strings: of a character, 1 or 4 */
    uint32_t extra;   /* bytes besides */
};

struct model_param {
    uint32_t name;    /* in text */
    uint8_t kind;     /* enum model_param_kind */
    uint8_t kept;     /* the environment keeps the pointer and may use it later */
    uint8_t optional; /* one of the arguments after `...`: may not be there, is not logged */
    uint8_t reserved;
    uint32_t length; /* of IN, OUT, INOUT, IOVEC, bound of strings; entry of lengths */
    uint32_t type;   /* OUT_TYPE, OUT_POINTER: entry of types */
};

/* How pointers flow through a function, for analyses: `kind` and two places.
 * A place is a parameter's number, or MODEL_PLACE_RESULT. */
enum model_call_kind {
    MODEL_COPIES,  /* what `from` points to is copied to what `to` points to */
    MODEL_CALLS,   /* parameter `to` is called with pointers into `from` */
    MODEL_STORES,  /* a pointer into `from` is stored where `to` points (strtol) */
    MODEL_LOADS,   /* `to` becomes a pointer that was stored where `from` points (strsep) */
    MODEL_RETURNS, /* the result may be `from` instead of what `result` says (gettext) */
    MODEL_CALL_KIND_COUNT
};
#define MODEL_PLACE_RESULT 255u
#define MODEL_PLACE_NONE 254u /* MODEL_CALLS: with nothing that is known */

struct model_call {
    uint8_t kind, from, to, reserved;
};

struct model_function {
    uint32_t name; /* in text */
    uint8_t class; /* enum model_class */
    uint8_t result, failure, descriptor;
    uint8_t flags; /* enum model_flags */
    uint8_t param_count;
    uint8_t result_param;
    uint8_t call_count;
    uint32_t first_param, first_call;
    uint32_t result_type;
    uint32_t reason; /* MODEL_REFUSED: in text */
    uint32_t group;  /* heading of its model file, in text */
};

/* Objects of the environment that the program may look into. */
enum model_field_kind {
    MODEL_FIELD_STRING,  /* pointer to a string */
    MODEL_FIELD_STRINGS, /* pointer to a vector of strings that ends with NULL */
    MODEL_FIELD_TYPE,    /* pointer to one object of `type`; lists are made of it */
    MODEL_FIELD_BYTES,   /* pointer to as many bytes as the 32-bit number at offset `count` says */
    MODEL_FIELD_VECTOR,  /* pointer to a vector of pointers to such bytes, ends with NULL */
    MODEL_FIELD_KIND_COUNT
};

struct model_field {
    uint32_t offset;
    uint32_t kind;
    uint32_t type;
    uint32_t count;
};

/* A field's type is an earlier one, or at most once its own: a list. */
struct model_type {
    uint32_t name;
    uint32_t size;
    /* The object is only as long as the 16-bit number at this offset says;
     * 0 is "always whole" (struct dirent). */
    uint32_t size_offset;
    uint32_t first_field, field_count;
};

struct model_table {
    uint64_t magic;
    uint32_t version, size; /* of the whole block */
    uint32_t function_count, param_count, length_count, type_count, field_count, call_count,
        text_size;
    /* Offsets from the beginning of the block. */
    uint32_t functions, params, lengths, types, fields, calls, text;
    uint64_t hash; /* XXH3-64 of the block with this field 0 */
};

#endif
