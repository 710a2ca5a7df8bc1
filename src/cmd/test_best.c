/* Which test is the one to begin with?  See test.h. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/test.h"
#include "testgen/signature.h"

enum { page = 4096 };

/* A pointer that leads to the address that could not be used, by way of a field or an index. */
static bool leads_there(uint64_t word, uint64_t address) {
    return word <= address && address - word < page && (word >= page || word == 0);
}

static bool is_pointer(const struct program *program, source_type_id type) {
    type = type == NO_ID ? NO_ID : program_plain_type(program, type);
    return type != NO_ID && program->source_types.data[type].kind == SOURCE_POINTER;
}

static bool has_argument(const struct program *program, const struct test_candidate *candidate,
                         uint64_t address) {
    struct signature signature;
    bool found = false;
    signature_find(program, candidate->function, &signature);
    for (size_t i = 0; i < signature.parameters.count; i++) {
        const struct parameter *one = &signature.parameters.data[i];
        if (!one->is_lost && one->word < candidate->state->word_count &&
            is_pointer(program, one->type))
            found |= leads_there(candidate->state->words[one->word], address);
    }
    signature_deinit(&signature);
    return found;
}

/* NULL is everywhere: only arguments tell. */
static bool has_in_memory(const struct capture_state *state, uint64_t address) {
    for (size_t i = 0; address >= page && i < state->memory.count; i++) {
        const struct capture_memory *piece = &state->memory.data[i];
        for (uint64_t at = -piece->address % 8; at + 8 <= piece->size; at += 8) {
            uint64_t word;
            memcpy(&word, piece->bytes + at, 8);
            if (word >= page && leads_there(word, address))
                return true;
        }
    }
    return false;
}

/* An address that a pointer led to; what cannot be told is 0. */
static bool is_address(const struct crash_event *event, uint64_t *ret) {
    enum { kernel = 0x80 }; /* SI_KERNEL: no address is told */
    *ret = event->address;
    return (event->signal == SIGSEGV || event->signal == SIGBUS) && event->code > 0 &&
           event->code != kernel && !event->stack_overflow && event->address != event->pc;
}

static bool is_called_often(const struct test_stack *stack, function_id function) {
    enum { often = 5 };
    unsigned calls = 0;
    for (size_t i = 0; i < stack->frames.count; i++)
        calls += !stack->frames.data[i].is_inlined && stack->frames.data[i].id == function;
    return calls >= often;
}

/* The outermost call of what the stack is full of; NULL if that is not known. */
static struct test_candidate *first_call(const struct test_try *all) {
    for (size_t i = all->candidates.count; i-- > 0;)
        if (all->candidates.data[i].verdict == TEST_REPRODUCES &&
            is_called_often(all->failure, all->candidates.data[i].function))
            return &all->candidates.data[i];
    return NULL;
}

/* The innermost function that was not handed the bad pointer: it came about there, or below. */
struct test_candidate *test_best(const struct test_try *all, const struct crash_event *event,
                                 char **ret_why) {
    struct test_candidate *innermost = NULL;
    uint64_t address;
    bool has_address = is_address(event, &address);
    for (size_t i = 0; i < all->candidates.count; i++) {
        struct test_candidate *one = &all->candidates.data[i];
        if (one->verdict != TEST_REPRODUCES)
            continue;
        if (!innermost)
            innermost = one;
        if (!has_address || has_argument(all->program, one, address) ||
            has_in_memory(one->state, address))
            continue;
        *ret_why =
            address < page
                ? mem_strdup("the innermost that is not handed NULL")
                : mem_printf("the innermost that begins without a pointer to %#" PRIx64, address);
        return one;
    }
    struct test_candidate *first = event->stack_overflow ? first_call(all) : NULL;
    if (first) {
        *ret_why = mem_strdup("the first call of what fills the stack");
        return first;
    }
    if (innermost)
        *ret_why = mem_strdup(has_address ? "the innermost: all begin with the bad pointer"
                                          : "the innermost that reproduces");
    return innermost;
}
