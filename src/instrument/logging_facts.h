/*
 * What the analyses say of the accesses and calls of a program, as far as a logging variant is made
 * by it: few of them, and dear.  So an image brings its facts along, and a variant that is
 * to log the same of other copies of some functions needs no analysis.
 */
#ifndef RECUT_INSTRUMENT_LOGGING_FACTS_H
#define RECUT_INSTRUMENT_LOGGING_FACTS_H

#include "analysis/environment.h"
#include "base/mem.h"

/* A section of the image. */
#define LOGGING_FACTS_SECTION ".recut.facts"

enum logging_fact_kind {
    FACT_READ,     /* bits of analysis/environment.h: where the instruction reads ... */
    FACT_WRITTEN,  /* ... and writes */
    FACT_ARGUMENT, /* bits: what functions of the environment look into, by its number */
    FACT_BY_VALUE, /* bits: a struct that is passed by value, by its number */
    FACT_NAMELESS, /* the call may enter code that the program has no symbol of */
    FACT_LIST,     /* ... or a function that looks at a va_list */
    FACT_CALLEE,   /* ... or this one, which has a model: of calls with arguments or a list */
};

struct logging_fact {
    uint32_t instruction;
    uint16_t kind;
    uint16_t bits;
    uint32_t number; /* of an argument, or a function_id */
};

/* In the order of instructions; those of one in the order of kinds. */
struct logging_facts {
    VEC(struct logging_fact) list;
};

/* Of all functions. */
void logging_facts_find(const struct environment *environment, const struct pta *pta,
                        struct logging_facts *ret);
void logging_facts_deinit(struct logging_facts *facts);

/* The first fact of this kind and number, or behind where it would be. */
size_t logging_facts_first(const struct logging_facts *facts, instruction_id instruction,
                           enum logging_fact_kind kind, uint32_t number);
/* Bits of that, 0 if there is none. */
uint8_t logging_facts_bits(const struct logging_facts *facts, instruction_id instruction,
                           enum logging_fact_kind kind, uint32_t number);

/* The contents of the section; the caller frees. */
void logging_facts_pack(const struct logging_facts *facts, char **ret_data, size_t *ret_size,
                        const struct program *program);
/* False if the image has none that are of this version, or they are damaged. */
bool logging_facts_read(const char *image, const struct program *program,
                        struct logging_facts *ret);

#endif
