/*
 * Building the program model from an LLVM module: what the files model*.c share.
 *
 * model.c runs them in order; each fills some of the arrays of struct program:
 *
 *   model.c            open, number everything that has an address or a result
 *   model_type.c       IR types, on demand
 *   model_value.c      constants, on demand; initial values
 *   model_code.c       functions, blocks, instructions
 *   model_returns.c    functions that never return
 *   model_access.c     geps, memory accesses and calls of an instruction
 *   model_scope.c      files, scopes and locations, on demand; lines
 *   model_source.c     source types, on demand
 *   model_variable.c   source variables and where they live
 *   model_memory.c     frames, slots, heap sites, bookkeeping of recut (no LLVM)
 */
#ifndef RECUT_PROGRAM_MODEL_H
#define RECUT_PROGRAM_MODEL_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "base/idmap.h"
#include "program/canonical/rewrite.h"
#include "program/program.h"

/* A debug intrinsic, in front of `instruction`. */
struct debug_call {
    LLVMValueRef call;
    instruction_id instruction;
};

/* What a debug expression does to its value, in this order: add `before`,
 * load, add `after`. */
struct debug_expression {
    int64_t before, after;
    unsigned loads;
    bool is_other;
    uint32_t fragment_offset, fragment_bits;
};

struct model {
    struct program *program;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;

    struct idmap values;                                            /* LLVMValueRef */
    struct idmap functions;                                         /* LLVMValueRef */
    struct idmap blocks;                                            /* LLVMBasicBlockRef */
    struct idmap types;                                             /* LLVMTypeRef */
    struct idmap files, scopes, locations, source_types, variables; /* LLVMMetadataRef */

    VEC(LLVMValueRef) instructions; /* by instruction id */
    VEC(LLVMValueRef) globals;      /* by memory id */
    VEC(struct debug_call) debug_calls;
    VEC(struct debug_expression) expressions;
    struct idmap expression_ids;         /* LLVMValueRef */
    VEC(instruction_id) debugger_slots;  /* allocas that only debuggers read */
    VEC(LLVMMetadataRef) variable_nodes; /* by variable id */
    VEC(source_type_id) composites;      /* structs, unions and enums with a name */
};

char *model_string(struct model *model, const char *text, size_t length);

type_id model_type(struct model *model, LLVMTypeRef type);
value_id model_value(struct model *model, LLVMValueRef value);
void model_initial_values(struct model *model);

void model_functions(struct model *model);
void model_code(struct model *model);
void model_returns(struct model *model);
/* What an instruction accesses or calls; its operands are there already. */
void model_access(struct model *model, LLVMValueRef llvm, struct instruction *instruction);
/* The steps of a gep or a gep expression; returns the constant part of its offset. */
int64_t model_gep(struct model *model, LLVMValueRef gep, struct range *ret_steps,
                  bool *ret_is_constant);

file_id model_file(struct model *model, LLVMMetadataRef file);
scope_id model_scope(struct model *model, LLVMMetadataRef scope);
location_id model_location(struct model *model, LLVMMetadataRef location);
void model_units(struct model *model);
void model_lines(struct program *program);

source_type_id model_source_type(struct model *model, LLVMMetadataRef type);
/* Links structs of the IR with structs of the source. */
void model_link_types(struct program *program);

/* Both before model_memory(), which knows slots only then. */
void model_global_variables(struct model *model);
void model_thread_local_names(struct model *model); /* those that moved to a block */
void model_local_variables(struct model *model);
/* Things of variables that only their text says; debug intrinsics are gone by
 * then, see model_variable.c. */
void model_finish_variables(struct model *model);
/* Memory that places of variables name. */
void model_resolve_places(struct model *model);

void model_memory(struct model *model);

/*
 * Nodes of debug information.  LLVM-C shows their operands, as values; numbers
 * that are not operands only in the node's text ("arg: 2").
 */
unsigned metadata_count(struct model *model, LLVMMetadataRef node);
/* Operand `index`, NULL if it is null or not there. */
LLVMMetadataRef metadata_operand(struct model *model, LLVMMetadataRef node, unsigned index);
/* All operands, NULL where null; the caller frees. */
LLVMMetadataRef *metadata_operands(struct model *model, LLVMMetadataRef node, unsigned *ret_count);
/* Text of a string operand, in the program's arena; NULL if it is empty. */
const char *metadata_string(struct model *model, LLVMMetadataRef node, unsigned index);
/* A constant integer operand, `otherwise` if there is none. */
int64_t metadata_integer(struct model *model, LLVMMetadataRef node, unsigned index,
                         int64_t otherwise);
/* Is RECUT_PRIVATE (include/recut.h) among the annotations, operand `index`? */
bool metadata_is_private(struct model *model, LLVMMetadataRef node, unsigned index);
/* The text of a node; freed with LLVMDisposeMessage(). */
char *metadata_text(struct model *model, LLVMMetadataRef node);

/* Where fields are among the operands of each kind of node in LLVM 19. */
enum {
    DI_SCOPE_PARENT = 1, /* DISubprogram, DILexicalBlock */
    DI_SUBPROGRAM_NAME = 2,
    DI_SUBPROGRAM_TYPE = 4,
    DI_SUBPROGRAM_RETAINED = 7,
    DI_TYPE_FILE = 0,
    DI_TYPE_BASE = 3,
    DI_COMPOSITE_ELEMENTS = 4,
    DI_SUBROUTINE_TYPES = 3,
    DI_ENUMERATOR_NAME = 0,
    DI_SUBRANGE_COUNT = 0,
    DI_VARIABLE_SCOPE = 0,
    DI_VARIABLE_NAME = 1,
    DI_VARIABLE_TYPE = 3,
    DI_LOCAL_ANNOTATIONS = 4,
    DI_TYPE_ANNOTATIONS = 5,
    DI_GLOBAL_ANNOTATIONS = 8,
    DI_FILE_CHECKSUM = 2,
    DI_UNIT_PRODUCER = 1,
    DI_UNIT_FLAGS = 2,
};

/* The bitcode of a file as a module of a context of its own, and its end. */
struct embedded;
struct error *model_open_module(const char *path, struct embedded *ret_embedded,
                                LLVMContextRef *ret_context, LLVMModuleRef *ret_module);
void model_close_module(struct embedded *embedded, LLVMContextRef context, LLVMModuleRef module);

#endif
