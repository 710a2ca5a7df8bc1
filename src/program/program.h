/*
 * The program model: what analyses see of a canonical program.
 *
 * Everything has a dense 32-bit id, which is its index in one of the arrays of
 * struct program.  Ids follow the order of the module, so that they are the
 * same whenever the same program is opened.  A thing that is not there has the
 * id NO_ID.  Lists of variable length are ranges of pools:
 *
 *     const struct instruction *i = &program->instructions.data[id];
 *     for (uint32_t n = 0; n < i->operands.count; n++)
 *         use(program->operands.data[i->operands.first + n]);
 *
 *  function --blocks--> block --instructions--> instruction --operands--> value
 *      |                  |--successors--> block        |--location--> location
 *      |--arguments--> value                            |--object--> memory
 *
 * Debug intrinsics are not instructions: they have become the locations of
 * source variables.  A program is read once and never changes.  It owns its
 * strings.  No LLVM type appears here; src/program/model*.c builds it.
 *
 * Opening costs one pass over the module: about as much again as LLVM takes to
 * parse the bitcode.
 */
#ifndef RECUT_PROGRAM_PROGRAM_H
#define RECUT_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/mem.h"
#include "format/program_section.h"

typedef uint32_t function_id;
typedef uint32_t block_id;
typedef uint32_t instruction_id;
typedef uint32_t value_id;
typedef uint32_t memory_id;
typedef uint32_t type_id;        /* types of the IR: what code is generated for */
typedef uint32_t source_type_id; /* types of the source, from debug information */
typedef uint32_t file_id;
typedef uint32_t scope_id;
typedef uint32_t location_id;
typedef uint32_t variable_id;

#define NO_ID UINT32_MAX

/* A part of a pool, or of an array whose members are neighbours. */
struct range {
    uint32_t first, count;
};

enum opcode {
#define OPCODE(llvm, name, text) OP_##name,
#include "program/opcodes.def"
#undef OPCODE
    OPCODE_COUNT
};

enum intrinsic {
    INTRINSIC_NONE, /* not a call of an intrinsic */
#define INTRINSIC(name, prefix, read, written, size) INTRINSIC_##name,
#include "program/intrinsics.def"
#undef INTRINSIC
    INTRINSIC_COUNT
};

enum function_flag {
    FUNCTION_DEFINED = 1 << 0,
    FUNCTION_VISIBLE = 1 << 1, /* code outside the bitcode can name it */
    FUNCTION_STATIC = 1 << 2,  /* `static` in the source; from debug information */
    FUNCTION_VARIADIC = 1 << 3,
    FUNCTION_INTRINSIC = 1 << 4, /* LLVM's own */
    FUNCTION_RUNTIME = 1 << 5,   /* __recut_*: recut's runtime */
    FUNCTION_NO_RETURN = 1 << 6,
    FUNCTION_RETURNS_TWICE = 1 << 7, /* setjmp and its kind */
    FUNCTION_ADDRESS_TAKEN = 1 << 8, /* used other than as a callee */
    FUNCTION_UNOPTIMISED = 1 << 9,   /* compiled with -O0 */
    FUNCTION_FRAME = 1 << 10,        /* it has a frame on the data stack */
    FUNCTION_CALLED = 1 << 11,       /* some instruction calls it directly */
};

/* What a function may do to memory, as its declaration promises. */
enum effect {
    EFFECT_READS = 1 << 0,
    EFFECT_WRITES = 1 << 1,
    EFFECT_ARGUMENTS_ONLY = 1 << 2, /* of the program's memory, only what arguments point to */
};

struct function {
    const char *name;        /* the symbol */
    const char *source_name; /* without what linking added */
    const char *left_out;    /* why it is not canonical; NULL if it is, or is not defined */
    file_id file;            /* NO_ID without debug information */
    uint32_t line;
    uint32_t flags;             /* enum function_flag */
    uint32_t effects;           /* enum effect */
    type_id type;               /* a TYPE_FUNCTION: result and parameters */
    source_type_id source_type; /* a SOURCE_FUNCTION, or NO_ID */
    scope_id scope;             /* its own, or NO_ID */
    value_id value;             /* its address */
    struct range arguments;     /* values: neighbours, so argument n is first + n */
    struct range blocks;        /* neighbours; the first is the entry */
    struct range instructions;  /* neighbours, in order of blocks */
    struct range slots;         /* memory: fixed places in its frame, by offset */
    uint64_t frame_size;        /* bytes of the fixed part */
    value_id frame_base;        /* address of the lowest byte; NO_ID without a frame */
    uint64_t address;           /* in the executable; 0 if it has none or none is known */
    function_id copy_of;        /* the program's own function that this is a copy of (copies.h),
                                   NO_ID if it is no copy */
    struct range variables;     /* of a copy: its variables, ascending by `copy_of` */
};

struct block {
    function_id function;
    struct range instructions; /* neighbours; the last is the terminator */
    struct range successors;   /* pool `edges`: one for each place of the terminator, so the
                                  same block may occur twice; `br c`: true, false; `switch`:
                                  default, then one for each case */
    struct range predecessors; /* pool `edges`: each once, ascending */
    bool synthetic;            /* added by recut */
};

enum instruction_flag {
    INSTRUCTION_TERMINATOR = 1 << 0,
    INSTRUCTION_READS = 1 << 1, /* memory, by itself and not by what it calls */
    INSTRUCTION_WRITES = 1 << 2,
    INSTRUCTION_VOLATILE = 1 << 3,
    INSTRUCTION_ATOMIC = 1 << 4,
    INSTRUCTION_CALL = 1 << 5,            /* call, invoke or callbr, and not an intrinsic */
    INSTRUCTION_INDIRECT = 1 << 6,        /* a call whose callee is not one known function */
    INSTRUCTION_CONSTANT_OFFSET = 1 << 7, /* a gep whose indices are all constant */
    /* Bookkeeping of recut: the stack pointer in @__recut_self and what is
     * computed from it until it is a place in the frame; blocks recut.entry and
     * recut.attach; the slot that debuggers read. */
    INSTRUCTION_SYNTHETIC = 1 << 8,
    INSTRUCTION_TAIL = 1 << 9, /* the callee sees nothing of this frame */
    INSTRUCTION_NO_RETURN = 1 << 10,
    INSTRUCTION_RETURNS_TWICE = 1 << 11,
    INSTRUCTION_BY_VALUE = 1 << 12, /* a call: an argument is a struct that is copied for it, its
                                       operand the address */
};

/* Of atomic accesses and fences; the numbers are LLVM's. */
enum ordering {
    ORDERING_NONE = 0,
    ORDERING_UNORDERED = 1,
    ORDERING_MONOTONIC = 2,
    ORDERING_ACQUIRE = 4,
    ORDERING_RELEASE = 5,
    ORDERING_ACQ_REL = 6,
    ORDERING_SEQ_CST = 7,
};

/* Of comparisons of integers and pointers; the numbers are LLVM's. */
enum predicate {
    PREDICATE_EQ = 32,
    PREDICATE_NE = 33,
    PREDICATE_SGT = 38,
    PREDICATE_SGE = 39,
    PREDICATE_SLT = 40,
    PREDICATE_SLE = 41,
};

struct instruction {
    block_id block;
    uint8_t opcode;    /* enum opcode */
    uint8_t intrinsic; /* enum intrinsic */
    uint8_t predicate; /* icmp (enum predicate and others), fcmp, atomicrmw; see
                          instruction_predicate_name() */
    uint8_t ordering;  /* enum ordering */
    uint32_t flags;    /* enum instruction_flag */
    type_id type;      /* of the result; void if there is none */
    value_id result;   /* NO_ID if there is none */
    /*
     * Pool `operands`.  Blocks are not operands.
     *   load address | store value, address | gep base, index...
     *   br [condition] | switch value, case... | indirectbr address
     *   call argument... | phi one for each of `blocks` | ret [value]
     */
    struct range operands;
    location_id location;
    memory_id object; /* whose address the result is: a slot, a heap object, ... */

    /* Memory that it accesses by itself. */
    value_id read_at, written_at; /* addresses, NO_ID if none */
    uint64_t access_size;         /* bytes; 0 if decided at run time or it accesses none */

    union {
        struct { /* call, invoke, callbr */
            value_id called;
            function_id callee; /* NO_ID if indirect */
        };
        struct { /* gep */
            type_id source_type;
            struct range steps; /* pool `steps`, one for each index */
            int64_t offset;     /* bytes: all of it, or its constant part */
        };
        struct range blocks;  /* phi: pool `edges`, where each operand comes from */
        struct range indices; /* extractvalue, insertvalue; shufflevector: mask; pool `indices` */
        struct {              /* alloca */
            type_id allocated;
            uint32_t align;
        };
    };
};

/* One index of a gep. */
struct step {
    type_id
        container; /* struct or array that is entered; for the first index, what is pointed to */
    value_id index;
    uint64_t stride;  /* bytes from one index to the next; 0 for a field of a struct */
    int64_t constant; /* the index, if it is constant */
    bool is_constant;
    bool is_field; /* `constant` is the number of a field */
};

enum value_kind {
    VALUE_FUNCTION,    /* definition: function */
    VALUE_GLOBAL,      /* definition: memory */
    VALUE_ALIAS,       /* operand 0: what it names; also an ifunc, whose operand is its resolver */
    VALUE_ARGUMENT,    /* definition: function; number: which */
    VALUE_INSTRUCTION, /* definition: instruction */
    VALUE_INT,         /* number; text if wider than 64 bits */
    VALUE_FLOAT,       /* text, as LLVM prints it */
    VALUE_NULL,        /* null pointer */
    VALUE_ZERO,        /* zero of an aggregate type */
    VALUE_UNDEFINED,   /* undef or poison */
    VALUE_AGGREGATE,   /* operands: the members */
    VALUE_DATA,        /* array or vector of plain numbers; text and number (length) if bytes */
    VALUE_EXPRESSION,  /* opcode, operands; number: byte offset of a gep */
    VALUE_BLOCK_ADDRESS, /* definition: block */
    VALUE_ASSEMBLY,      /* text; operand-less callee of a call */
    VALUE_METADATA,      /* ignored operand of an intrinsic */
    VALUE_OTHER,
    VALUE_KIND_COUNT
};

struct value {
    uint8_t kind;   /* enum value_kind */
    uint8_t opcode; /* of an expression */
    type_id type;
    uint32_t definition;
    variable_id variable;  /* a source variable that has this value somewhere, or NO_ID */
    struct range operands; /* pool `operands` */
    struct range steps;    /* of a gep expression: pool `steps`, one for each index */
    uint64_t number;       /* VALUE_INT: zero-extended */
    const char *text;
};

enum memory_kind {
    MEMORY_GLOBAL,       /* value: the global */
    MEMORY_THREAD_LOCAL, /* moved into each thread's block by recut; offset in it */
    MEMORY_SLOT,         /* function's frame on the data stack; offset from its base */
    MEMORY_DYNAMIC,      /* alloca and VLA on the data stack; value: its address */
    MEMORY_STACK,        /* machine stack of a function that is left out; value: the alloca */
    MEMORY_HEAP,         /* site: the call that allocates */
    MEMORY_MAPPING,      /* site: mmap and its kind */
    MEMORY_KIND_COUNT
};

enum memory_flag {
    MEMORY_CONSTANT = 1 << 0,            /* never written */
    MEMORY_EXTERNAL = 1 << 1,            /* declared here, defined elsewhere */
    MEMORY_VISIBLE = 1 << 2,             /* code outside the bitcode can name it */
    MEMORY_NATIVE_THREAD_LOCAL = 1 << 3, /* a global that each thread has, where libc puts it */
    MEMORY_RUNTIME = 1 << 4,             /* recut's own */
    MEMORY_SIZE_EXACT = 1 << 5,          /* else `size` is the room up to the next thing */
    MEMORY_STRING = 1 << 6,              /* a string literal */
};

enum initial_kind { INITIAL_NONE, INITIAL_ZERO, INITIAL_DATA, INITIAL_POINTERS };

struct memory {
    uint8_t kind;         /* enum memory_kind */
    uint8_t initial_kind; /* enum initial_kind */
    uint32_t flags;       /* enum memory_flag */
    const char *name;     /* symbol, or name of the variable that lives there, or NULL */
    const char *section;  /* NULL if it has none of its own */
    uint64_t size;        /* 0 if decided at run time */
    uint32_t align;
    type_id type;          /* NO_ID if the IR gives none */
    value_id value;        /* its address; NO_ID if it has no single one */
    value_id initial;      /* a global's initial value, NO_ID without */
    struct range pointers; /* pool `initial_pointers`, ascending by offset */
    function_id function;  /* slot, dynamic, stack, heap, mapping: where; else NO_ID */
    instruction_id site;   /* slot, dynamic, stack, heap, mapping: what makes its address */
    uint32_t out_argument; /* heap: the argument that receives the address, NO_ID if it is
                              the call's result */
    int64_t offset;        /* slot, thread-local */
    variable_id variable;  /* source variable that lives there, NO_ID without */
    uint64_t address;      /* a global's in the executable, 0 if not known */
};

/* A pointer inside the initial value of a global. */
struct initial_pointer {
    uint64_t offset;
    value_id value;
};

enum type_kind {
    TYPE_VOID,
    TYPE_INT,   /* bits */
    TYPE_FLOAT, /* bits: 16, 32, 64, 80, 128 */
    TYPE_POINTER,
    TYPE_ARRAY,    /* element, length */
    TYPE_VECTOR,   /* element, length */
    TYPE_STRUCT,   /* members, offsets */
    TYPE_FUNCTION, /* element: the result; members: the parameters */
    TYPE_OTHER,    /* label, token, metadata */
    TYPE_KIND_COUNT
};

struct type {
    uint8_t kind; /* enum type_kind */
    bool variadic;
    bool has_pointers; /* itself or in it */
    const char *name;  /* of a struct, without what linking added; NULL without */
    uint64_t size;     /* bytes that an array of it takes each; 0 if it has none */
    uint32_t bits;
    type_id element;
    uint64_t length;
    struct range members;  /* pools `type_members` and, for structs, `type_offsets` */
    source_type_id source; /* the struct of the source, found by name and size, or NO_ID */
};

enum source_type_kind {
    SOURCE_BASE,
    SOURCE_POINTER,  /* target */
    SOURCE_STRUCT,   /* fields */
    SOURCE_UNION,    /* fields */
    SOURCE_ENUM,     /* target: the integer; fields: names with values */
    SOURCE_ARRAY,    /* target: the element; length of this dimension */
    SOURCE_TYPEDEF,  /* target */
    SOURCE_CONST,    /* target */
    SOURCE_VOLATILE, /* target */
    SOURCE_RESTRICT, /* target */
    SOURCE_ATOMIC,   /* target */
    SOURCE_FUNCTION, /* target: the result; fields: parameters, unnamed */
    SOURCE_OTHER,
    SOURCE_TYPE_KIND_COUNT
};

/* A target of NO_ID is void. */
struct source_type {
    uint8_t kind;    /* enum source_type_kind */
    bool incomplete; /* declared, not defined */
    bool variadic;
    bool is_signed;
    bool is_vector;   /* an array that is one value: vector_size() */
    const char *name; /* NULL without */
    uint64_t size;    /* bytes; 0 if not known */
    uint64_t length;  /* of an array; 0 if not known */
    source_type_id target;
    struct range fields; /* pool `fields` */
    file_id file;
    uint32_t line;
};

struct field {
    const char *name; /* NULL for anonymous members and parameters */
    source_type_id type;
    uint64_t bit_offset, bit_size;
    int64_t number; /* of an enumerator */
    bool is_bit_field;
    bool is_private; /* RECUT_PRIVATE */
};

struct source_file {
    const char *directory, *name;
    const char *path;     /* both together */
    const char *checksum; /* of its contents, MD5 in hexadecimal; NULL if the compiler kept none */
};

enum scope_kind { SCOPE_FUNCTION, SCOPE_BLOCK, SCOPE_FILE };

struct scope {
    uint8_t kind;         /* enum scope_kind */
    const char *name;     /* of a function */
    function_id function; /* the one whose body it is in, NO_ID if it only exists inlined */
    scope_id parent;      /* NO_ID at the top */
    file_id file;
    uint32_t line;
};

/* A place in the source that an instruction comes from. */
struct location {
    file_id file;
    uint32_t line, column; /* 0: the compiler knows none */
    scope_id scope;
    location_id inlined_at; /* the call that was inlined; NO_ID if none was */
};

/* Instructions that come from one line: pool `line_instructions`, ascending. */
struct source_line {
    file_id file;
    uint32_t line;
    struct range instructions;
};

struct variable {
    const char *name;
    source_type_id type;
    scope_id scope; /* NO_ID for a global at the top of its file */
    file_id file;
    uint32_t line;
    uint32_t argument; /* number of the parameter that it is, from 1; 0 if it is none */
    bool is_global;
    bool is_private;     /* RECUT_PRIVATE */
    memory_id memory;    /* where all of it lives all the time; NO_ID if it moves about */
    struct range places; /* `places`: neighbours; empty if it was optimised away */
    variable_id copy_of; /* the variable that this is a copy of (copies.h), NO_ID if it is none */
};

enum place_kind {
    PLACE_VALUE,   /* it is `value` */
    PLACE_MEMORY,  /* it lies `offset` bytes behind the address `value` */
    PLACE_OBJECT,  /* it lies in `memory`, at `offset` */
    PLACE_DERIVED, /* it can be computed from `value`, in a way that is not recorded */
    PLACE_GONE,    /* the compiler knows it no more */
};

/* From `instruction` on, until another place takes over, a variable is here. */
struct place {
    uint8_t kind;        /* enum place_kind */
    bool is_declaration; /* holds in all of the function */
    variable_id variable;
    instruction_id instruction; /* the first for which it holds */
    location_id inlined_at;     /* which inlined copy of the variable; NO_ID if it is not inlined */
    value_id value;
    memory_id memory;
    int64_t offset;
    uint32_t fragment_offset, fragment_bits; /* part of the variable; bits 0: all of it */
    uint32_t order;                          /* of places in front of one instruction */
};

struct compile_unit {
    file_id file;
    const char *producer;
    const char *command; /* that compiled it, with -grecord-command-line; else empty */
};

struct program {
    const char *path;
    bool is_executable; /* else bitcode, and nothing is known of addresses and libraries */
    bool is_static;
    bool is_canonical; /* recut-cc rewrote it */
    bool has_debug_info;
    uint8_t build_id[BUILD_ID_SIZE]; /* zero for bitcode */
    uint64_t bitcode_size;
    const char *compiler; /* as it names itself; NULL if it does not */
    const char *target;
    const char *assembly;   /* at file level; NULL without */
    const char **libraries; /* shared ones that it loads; NULL-terminated */
    struct arena arena;

    VEC(struct function) functions;
    VEC(struct block) blocks;
    VEC(struct instruction) instructions;
    VEC(struct value) values;
    VEC(struct memory) memory;
    VEC(struct type) types;
    VEC(struct source_type) source_types;
    VEC(struct source_file) files;
    VEC(struct scope) scopes;
    VEC(struct location) locations;
    VEC(struct source_line) lines; /* ascending by file and line */
    VEC(struct variable) variables;
    VEC(struct place) places;
    VEC(struct compile_unit) units;

    /* Pools. */
    VEC(block_id) edges;
    VEC(value_id) operands;
    VEC(struct step) steps;
    VEC(uint32_t) indices; /* UINT32_MAX in a shuffle's mask: undefined */
    VEC(type_id) type_members;
    VEC(uint64_t) type_offsets;
    VEC(struct field) fields;
    VEC(struct initial_pointer) initial_pointers;
    VEC(instruction_id) line_instructions;
};

/* Reads an executable that recut-cc built, or a bitcode file. */
struct error *program_open(const char *path, struct program **ret);
void program_free(struct program *program);

/* Is the model consistent?  Ids in range, ranges within pools, edges both ways,
 * operands dominating their uses.  A failure is a bug in recut. */
struct error *program_check(const struct program *program);

/* LLVM's text of the bitcode in a file, of one function if `function` is not
 * NULL; the caller frees. */
struct error *program_llvm_text(const char *path, const char *function, char **ret);

/* A program with less in it. */
struct reduced {
    const bool *keep;      /* by instruction; terminators stay unless `jumps` says otherwise */
    const block_id *jumps; /* by block: where it goes instead of what its terminator says;
                              REDUCED_RETURN: back to the caller; NO_ID: as it was */
};
#define REDUCED_RETURN (NO_ID - 1)

/* Writes bitcode of the program in `path`, as opened by program_open(), without what is
 * not to be kept; what used its results gets zero. */
struct error *program_write_reduced(const char *path, const struct reduced *reduced,
                                    const char *output);

/* Names of kinds, as dumps show them. */

const char *opcode_name(enum opcode opcode);
const char *intrinsic_name(enum intrinsic intrinsic);
const char *value_kind_name(enum value_kind kind);
const char *memory_kind_name(enum memory_kind kind);
const char *type_kind_name(enum type_kind kind);
const char *source_type_kind_name(enum source_type_kind kind);
/* "eq", "slt", ...; for atomicrmw the operation; "" for other instructions. */
const char *instruction_predicate_name(const struct instruction *instruction);

/* By symbol or by source name, NO_ID if there is none; where a source name
 * belongs to several, the first from `after` (0 at first) on. */
function_id program_find_function(const struct program *program, const char *name,
                                  function_id after);
/* The function that an instruction is in. */
function_id program_function_of(const struct program *program, instruction_id instruction);
/* The instructions of a line; empty if it has none. */
struct range program_find_line(const struct program *program, file_id file, uint32_t line);
/* Files whose path ends in `name` at a '/'; NO_ID if there is none from `after` on. */
file_id program_find_file(const struct program *program, const char *name, file_id after);
/* Does a file have functions, and were all of them optimised?  At -O0 those that are always inlined
 * look as if they were. */
bool program_is_optimised(const struct program *program, file_id file);

/* The value and the constant offset from it that an address is made of, through
 * geps and casts whose offsets are constant, up to the address of an object. */
value_id program_strip_offsets(const struct program *program, value_id value, int64_t *ret_offset);

/* An array that is a field of a struct, and that the steps of a gep have entered; the innermost. */
struct inner_array {
    int64_t offset; /* from the address that the gep begins with */
    uint64_t size;
    bool is_last; /* nothing of the struct comes behind it: it may be longer than it says */
};
bool program_inner_array(const struct program *program, struct range steps,
                         struct inner_array *ret);

/* A type without typedefs and qualifiers. */
source_type_id program_plain_type(const struct program *program, source_type_id type);

/* The source type of a value as far as variables tell, else NO_ID.  For people
 * to read: C promises nothing about the types of memory. */
source_type_id program_value_type(const struct program *program, value_id value);

/* Texts; the caller frees. */
char *program_type_text(const struct program *program, type_id type);
char *program_source_type_text(const struct program *program, source_type_id type);
char *program_value_text(const struct program *program, value_id value);
/* "where.x" for the byte `offset` of a struct; NULL if nothing has a name there. */
char *program_field_text(const struct program *program, source_type_id type, uint64_t offset);
/* "node.where.x" for a gep into a known struct; NULL for others. */
char *program_gep_text(const struct program *program, const struct instruction *gep);

#endif
