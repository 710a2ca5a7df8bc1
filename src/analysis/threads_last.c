/*
 * Threads that run last: what they leave in memory, nobody sees who was there before.
 *
 *   a handler of signals that never returns       what it interrupted does not go on
 *   what atexit() was given, a destructor         the program is over for all the others
 *
 * That is so as long as the program has no threads of its own, which would go on meanwhile: where
 * one is created anywhere, nothing runs last.  A handler that longjmp() may leave is none of them,
 * nor is a function that code without a model may call.
 *
 * Which functions never return is found from those that do: there is a way through them on which
 * each call enters something that returns.
 *
 * Cost: the functions that handlers call, a few times.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/threads_impl.h"

/* Does the call come back, as far as is known by now? */
static bool call_returns(const struct threads *threads, const bool *returns, instruction_id call) {
    const struct program *program = threads->program;
    uint32_t count;
    const function_id *callees = pta_callees(threads->pta, call, &count);
    if (!(program->instructions.data[call].flags & INSTRUCTION_CALL) || !count)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] == NO_ID ||
            !(program->functions.data[callees[i]].flags & FUNCTION_DEFINED) || returns[callees[i]])
            return true;
    return false;
}

/* Is there a way from the entry to a return? */
static bool has_way(const struct threads *threads, const bool *returns, function_id function) {
    const struct program *program = threads->program;
    struct bitset seen = {0};
    VEC(block_id) work = {0};
    bool found = false;
    VEC_PUSH(&work, program->functions.data[function].blocks.first);
    while (work.count && !found) {
        const struct block *block = &program->blocks.data[work.data[--work.count]];
        uint32_t i = block->instructions.first, end = i + block->instructions.count;
        while (i < end && call_returns(threads, returns, i))
            i++;
        if (i < end)
            continue;
        found = program->instructions.data[end - 1].opcode == OP_RETURN;
        for (uint32_t k = 0; k < block->successors.count; k++)
            if (bitset_add(&seen, program->edges.data[block->successors.first + k]))
                VEC_PUSH(&work, program->edges.data[block->successors.first + k]);
    }
    bitset_deinit(&seen);
    VEC_DEINIT(&work);
    return found;
}

/* By function; the caller frees.  Of functions that no handler calls nothing is said. */
static bool *find_returning(const struct threads *threads) {
    const struct program *program = threads->program;
    bool *returns = mem_zalloc(program->functions.count + 1, sizeof *returns);
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (function_id f = 0; f < program->functions.count; f++) {
            if (returns[f] || bitset_is_empty(&threads->of_function[f]) ||
                !has_way(threads, returns, f))
                continue;
            returns[f] = is_new = true;
        }
    }
    return returns;
}

static bool creates_threads(const struct threads *threads) {
    static const char *const names[] = {"pthread_create", "thrd_create", "clone", "timer_create",
                                        NULL};
    for (instruction_id i = 0; i < threads->program->instructions.count; i++)
        if (threads_calls(threads->program, threads->pta, i, names))
            return true;
    return false;
}

/* May longjmp() be called below the thread's entry, or something of which nothing is known? */
static bool may_jump(const struct threads *threads, uint32_t thread) {
    static const char *const names[] = {
        "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "llvm.eh.sjlj.longjmp", NULL};
    const struct program *program = threads->program;
    for (function_id f = 0; f < program->functions.count; f++) {
        if (!bitset_has(&threads->of_function[f], thread))
            continue;
        struct range own = program->functions.data[f].instructions;
        for (uint32_t i = own.first; i < own.first + own.count; i++) {
            uint32_t count;
            const function_id *callees = pta_callees(threads->pta, i, &count);
            if (threads_calls(program, threads->pta, i, names))
                return true;
            for (uint32_t k = 0; k < count; k++)
                if (callees[k] == NO_ID || pta_is_unmodelled(threads->pta, callees[k]))
                    return true;
        }
    }
    return false;
}

/* What a function is given to, besides signal() and its kind. */
struct origin {
    bool at_exit, otherwise;
};

static void find_origins(const struct threads *threads, struct origin *origins) {
    static const char *const at_exit[] = {
        "atexit", "on_exit", "at_quick_exit", "__cxa_atexit", "__cxa_at_quick_exit", NULL};
    for (instruction_id i = 0; i < threads->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(threads->effects, i, &count);
        if (!count || !threads_creates(threads, i) ||
            threads_is_handler(threads->program, threads->pta, i))
            continue;
        bool is_exit = threads_only_calls(threads->program, threads->pta, i, at_exit);
        for (uint32_t k = 0; k < count; k++)
            if (is_exit)
                origins[callees[k]].at_exit = true;
            else
                origins[callees[k]].otherwise = true;
    }
}

static bool is_destructor(const struct program *program, function_id function) {
    return threads_is_listed(program, function, "llvm.global_dtors", "fini_array");
}

void threads_find_last(struct threads *threads) {
    const struct program *program = threads->program;
    threads->is_last = mem_zalloc(threads->entries.count + 1, sizeof *threads->is_last);
    if (threads->entries.count == 1 || creates_threads(threads))
        return;
    bool *returns = find_returning(threads);
    struct origin *origins = mem_zalloc(program->functions.count + 1, sizeof *origins);
    find_origins(threads, origins);
    threads->are_interrupts = true;
    for (uint32_t t = 1; t < threads->entries.count; t++) {
        function_id entry = threads->entries.data[t];
        uint8_t flags = pta_object(threads->pta, pta_object_of_function(threads->pta, entry)).flags;
        bool is_handler = pta_is_handler(threads->pta, entry);
        bool at_end = origins[entry].at_exit || is_destructor(program, entry);
        bool is_known = !(flags & PTA_ESCAPED) && !origins[entry].otherwise;
        threads->are_interrupts &= is_known && (is_handler || at_end);
        if (is_known && !may_jump(threads, t))
            threads->is_last[t] = returns[entry] ? at_end && !is_handler : at_end || is_handler;
    }
    free(origins);
    free(returns);
}
