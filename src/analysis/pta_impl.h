/*
 * What the files pta*.c share.
 *
 *   pta.c            runs them; questions
 *   pta_object.c     objects: memory, functions, those of the environment
 *   pta_value.c      constants, initial values, instructions that are no calls
 *   pta_needed.c     which values that are no pointers may carry one to somewhere
 *   pta_local.c      which stores of a local a load gets
 *   pta_return.c     what functions return: what they allocated, what they were given
 *   pta_block.c      names of the blocks that calls give
 *   pta_call.c       calls: linking them to what they may enter
 *   pta_external.c   functions outside the program: by model, and without
 *   pta_search.c     those that keep trees and hash tables for the program
 *
 * The node of a value is its id.
 */
#ifndef RECUT_ANALYSIS_PTA_IMPL_H
#define RECUT_ANALYSIS_PTA_IMPL_H

#include "analysis/pta.h"

typedef VEC(uint32_t) id_vec;

/* Which blocks of the heap are named by the calls that get them handed on (pta_block.c).  Too many
 * names, where a program keeps freed memory in lists of its own, say nothing and cost much. */
enum names {
    NAMES_OF_ALLOCATORS, /* none: by the call of the allocator */
    NAMES_OF_RETURNED,   /* those that are returned as they are */
    NAMES_OF_ALL,        /* and those that are stored where a parameter points, or returned moved */
};

/* How far a pointer lies from another: stride 0: by `offset`; else offset + n*stride. */
struct move {
    int64_t offset;
    uint64_t stride;
};

/* A call instruction that is no intrinsic; or what one stores behind an argument (pta_block.c). */
struct call {
    instruction_id instruction;
    function_id caller;
    uint32_t result;      /* node; NO_ID if it returns nothing */
    uint32_t plain;       /* node: what it returns but did not allocate */
    uint32_t start;       /* node: blocks that it allocates, by their names here; NO_ID if none */
    struct move moves[4]; /* from there to the result */
    uint32_t move_count;  /* 0: it allocates nothing */
    bool is_forwarded;    /* its caller hands on what it gives */
    uint32_t object;      /* its name for what it allocates, NO_ID before it is needed */
    memory_id memory;     /* the heap or mapping that it makes, or NO_ID */
    uint32_t param;       /* what it stores where this argument points; NO_ID: it is the call */
    id_vec products;      /* of a call: what it stores where arguments point */
    id_vec callees;       /* functions; NO_ID is the environment */
};

/* What a function got of a call and hands on. */
struct forward {
    uint32_t call;
    uint32_t param; /* it is stored where this points; NO_ID: returned */
    struct move move;
    uint32_t address; /* node: where it is stored */
};

struct function_info {
    uint32_t object, variadic; /* objects; variadic NO_ID before it is needed */
    uint32_t returned;         /* node: what it returns, but for `forwards` and `gives_back` */
    uint64_t gives_back;       /* parameters that it may return, by bit */
    VEC(struct forward) forwards;
    id_vec callers;      /* calls */
    uint32_t described;  /* object of an external function, or NO_ID */
    uint32_t remembered; /* node: what it was given and may return later, or NO_ID */
    bool is_called_back, is_unmodelled;
    const struct model_function *model;
};

/* What a watched node means to the hook: two bits of the datum. */
enum watch {
    WATCH_CALL,     /* index: call; the node is its callee */
    WATCH_REACH,    /* the environment can get at what the node points to */
    WATCH_CALLBACK, /* index: callback; the node is a function that it calls */
    WATCH_ASSEMBLY, /* index: node; an instruction may do anything with what it points to */
};

/* A local that is only loaded and stored as a whole: a variable of SSA at heart. */
struct local {
    bool is_plain;
    id_vec stored; /* values */
};

/* Functions that an external function calls, and with what. */
struct callback {
    uint32_t parameter; /* node that goes to each parameter */
    uint32_t returned;  /* node that gets what they return, NO_ID if it is lost */
};

struct pta {
    const struct program *program;
    struct pta_options options;
    struct andersen *solver;
    VEC(struct pta_object) objects;
    VEC(struct call) calls;
    VEC(struct callback) callbacks;
    uint32_t *call_of;        /* by instruction, NO_ID if it is none */
    uint32_t *memory_objects; /* by memory, NO_ID for heap */
    struct function_info *functions;
    uint8_t *needed;          /* by value: pta_needed.c */
    struct local *locals;     /* by memory: pta_return.c */
    uint32_t *reached;        /* by instruction: node with what a load of a local gets, PTA_NOTHING
                                 if no pointer reaches it; NO_ID of others: pta_local.c */
    struct bitset handed_out; /* stores: what `forwards` says of them */
    enum names names;
    bool names_others; /* NAMES_OF_ALL makes names that NAMES_OF_RETURNED does not */
    bool shows_names;  /* pta_show_names() was called */
    bool joins_halves; /* there is an instruction for which pta_joins_halves() */
    bool blocks_grow;  /* there is a realloc, and a block keeps its name in it */
    uint32_t environment, handles, arguments; /* objects */
    uint32_t reach;                           /* node: what the environment may look into */
    uint32_t seen;                            /* node: what the environment's memory holds */
    uint32_t held;                            /* node: what the environment only hands back */
    uint32_t data;     /* node: pointers in bytes that went out, and may come in */
    uint32_t handlers; /* node: handlers of signals */
    uint32_t halves;   /* node: pointers of which a half was taken */
};

static inline value_id pta_operand(const struct pta *pta, const struct instruction *instruction,
                                   uint32_t index) {
    return index < instruction->operands.count
               ? pta->program->operands.data[instruction->operands.first + index]
               : NO_ID;
}

static inline const struct instruction *pta_definition(const struct pta *pta, value_id value) {
    if (value == NO_ID || pta->program->values.data[value].kind != VALUE_INSTRUCTION)
        return NULL;
    return &pta->program->instructions.data[pta->program->values.data[value].definition];
}

/* Can a value of the type be a pointer, or a part of one? */
static inline bool pta_carries(const struct program *program, type_id type) {
    const struct type *of = &program->types.data[type];
    return of->kind != TYPE_VOID && of->kind != TYPE_OTHER &&
           !(of->kind == TYPE_INT && of->bits < 8);
}

/* Pieces of pointers do not go from function to function. */
static inline bool pta_is_passed(const struct program *program, value_id value) {
    const struct type *type = &program->types.data[program->values.data[value].type];
    return type->size >= GRANULE;
}

/* Objects. */
void pta_make_objects(struct pta *pta);
uint32_t pta_new_object(struct pta *pta, struct pta_object object, struct andersen_shape shape);
uint32_t pta_variadic(struct pta *pta, function_id function);
uint32_t pta_described(struct pta *pta, function_id function);

/* Values. */
/* How pointers in its operands come out of an instruction that computes. */
enum carry {
    CARRY_NOTHING,
    CARRY_SAME,     /* as they are: moves and casts */
    CARRY_ANYWHERE, /* somewhere into the same objects */
    CARRY_SUM,      /* moved, by a constant if an operand is one */
};
enum carry pta_carry(const struct pta *pta, uint8_t opcode, type_id type, struct range operands);
/* high << 32 | low, of two values of 32 bits?  Does it take the low half of a value? */
bool pta_joins_halves(const struct pta *pta, const struct instruction *instruction);
bool pta_takes_half(const struct pta *pta, const struct instruction *instruction);
void pta_find_needed(struct pta *pta);
/* Can the value be anything but a constant that points nowhere? */
bool pta_can_hold_pointer(const struct program *program, value_id value);
void pta_constants(struct pta *pta);
void pta_initial_values(struct pta *pta);
void pta_instruction(struct pta *pta, function_id function, instruction_id id);
void pta_intrinsic(struct pta *pta, function_id function, instruction_id id);
/* Copies what `from` points to, over `size` bytes, 0 if not known, to where `to` points. */
void pta_copy_memory(struct pta *pta, uint32_t to, uint32_t from, uint64_t size);
/* A node that points anywhere into what `node` points into. */
uint32_t pta_anywhere(struct pta *pta, uint32_t node);
/* The same, but in an array of a struct if it is in one. */
uint32_t pta_within(struct pta *pta, uint32_t node);
/* A node with all that the memory holds that `node` points into; and the way back. */
uint32_t pta_contents_of(struct pta *pta, uint32_t node);
void pta_fill_contents(struct pta *pta, uint32_t node, uint32_t with);

/* Calls. */
void pta_find_locals(struct pta *pta);
/* The local whose address a value is; NO_ID if it is none. */
memory_id pta_local(const struct pta *pta, value_id address);
#define PTA_NOTHING (NO_ID - 1)
void pta_find_reached(struct pta *pta);
void pta_returns(struct pta *pta, function_id function);
void pta_call(struct pta *pta, uint32_t call);

/* Blocks. */
bool pta_is_same_move(struct move a, struct move b);
/* One after the other; what both are cases of. */
struct move pta_both_moves(struct move a, struct move b);
struct move pta_either_move(struct move a, struct move b);
struct move pta_gep_move(const struct pta *pta, const struct instruction *gep);
/* Is it a parameter? */
bool pta_is_parameter(const struct pta *pta, value_id value, uint32_t *ret_param);
/* A call gives a block that it made: `move` into it as its result, or its address where an argument
 * points. */
void pta_allocates(struct pta *pta, uint32_t call, struct move move);
void pta_allocates_behind(struct pta *pta, uint32_t call, uint32_t param);
/* A call enters a function: what that hands on are products of the call. */
void pta_blocks_of(struct pta *pta, uint32_t call, function_id function);
/* The environment calls a function; node `returned` gets what it returns, unless it is NO_ID. */
void pta_blocks_to_environment(struct pta *pta, function_id function, bool is_first,
                               uint32_t returned);
/* Hands on what is in `node`, which was not allocated. */
void pta_hand_on(struct pta *pta, function_id function, const struct forward *forward,
                 uint32_t node);
void pta_returns_argument(struct pta *pta, uint32_t call, uint32_t number);
uint32_t pta_heap_object(struct pta *pta, uint32_t call);

/* More of calls. */
/* The environment calls a function with `parameter` in each of its parameters. */
void pta_call_back(struct pta *pta, function_id function, struct callback callback);
void pta_external(struct pta *pta, uint32_t call, function_id function);
/* A function of <search.h>?  Then that is done. */
bool pta_search(struct pta *pta, uint32_t call, function_id function, const char *name);
void pta_unknown(struct pta *pta, uint32_t call);
/* There is code without bitcode of which nothing is known: it may use the program's functions and
 * variables by their names.  main() is called by libc's beginning alone, which looks at nothing. */
void pta_show_names(struct pta *pta);
void pta_assembly(struct pta *pta, const struct instruction *instruction);
void pta_hook(void *context, uint32_t datum, uint32_t location);
uint32_t pta_datum(enum watch watch, uint32_t index);

#endif
