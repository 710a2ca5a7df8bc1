/*
 * How much of the machine stack does a test get?  See test.h.
 *
 * Where a stack ran over, each function on it had the rest of one: with a whole one its test comes
 * to what the failed run never came to.  But the code that failed, a variant, takes more or less of
 * the stack for each call than that of the test does.  So for tests that do not fail as the program
 * did with what their functions had, what it takes is looked for: of much a part less first, since
 * mended code may need nearly all of it.  In which of the functions of a recursion the stack
 * ends is chance; near its end it is not: a test that fails too early wants more, others less.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "cmd/test.h"
#include "format/testing.h"

enum {
    least = 16,
    unit = 16,
    rounds = 14,
};

/* What was left of the stack that ran over when it was called; 0 if that is not known. */
static uint64_t rest_of(const struct test_stack *stack, const struct test_candidate *candidate) {
    uint64_t slot =
        candidate->frame < stack->frames.count ? stack->frames.data[candidate->frame].slot : 0;
    if (!stack->is_full || slot < stack->sp)
        return 0;
    return slot - stack->sp < least ? least : slot - stack->sp;
}

uint64_t test_room(const struct test_stack *stack, const struct test_candidate *candidate) {
    uint64_t rest = rest_of(stack, candidate);
    return rest > TEST_ROOM_SHORT ? rest : 0;
}

/* Frames of the failed run from the innermost to this one. */
static uint64_t depth_of(const struct test_stack *stack, const struct test_candidate *candidate) {
    uint64_t depth = 0;
    for (size_t i = 0; i <= candidate->frame && i < stack->frames.count; i++)
        depth += !stack->frames.data[i].is_inlined;
    return depth;
}

/* Of one test: it is too little with `low`, and too much with `high`. */
struct search {
    uint64_t low, high;
    enum test_verdict verdict; /* of the test as it was written */
    char *how;
};

static bool has_too_much(const struct test_stack *stack, const struct test_candidate *candidate) {
    return candidate->verdict == TEST_PASSES || !candidate->ran_over ||
           candidate->failed_at > depth_of(stack, candidate);
}

static void begin(const struct test_stack *stack, struct test_candidate *candidate,
                  struct search *ret) {
    enum { whole = 8 << 20 };
    uint64_t rest = rest_of(stack, candidate);
    candidate->is_asked =
        rest && (candidate->verdict == TEST_PASSES || candidate->verdict == TEST_DIFFERS);
    if (!candidate->is_asked)
        return;
    *ret = (struct search){least - unit, candidate->room ? candidate->room : whole,
                           candidate->verdict, candidate->how};
    candidate->how = NULL;
    candidate->trial = rest > TEST_ROOM_SHORT ? rest / 4 * 3 : rest;
}

/* After a run; false if there is nothing left to try. */
static bool go_on(const struct test_stack *stack, struct test_candidate *candidate,
                  struct search *search) {
    if (has_too_much(stack, candidate))
        search->high = candidate->trial;
    else
        search->low = candidate->trial;
    /* Far from both ends, what is wanted is nearer to the lower one. */
    bool is_far = search->low && search->high / 4 > search->low;
    uint64_t next = is_far ? search->low * 2 : search->low + (search->high - search->low) / 2;
    candidate->trial = next / unit * unit;
    return candidate->trial > search->low && candidate->trial < search->high;
}

/* As it was before all this. */
static void give_up(struct test_candidate *candidate, struct search *search) {
    free(candidate->how);
    candidate->verdict = search->verdict;
    candidate->how = search->how;
    search->how = NULL;
    candidate->is_asked = false;
}

/* Of those that were asked; how many are to be asked again? */
static size_t look(struct test_try *all, struct search *searches, bool is_last) {
    size_t left = 0;
    for (size_t i = 0; i < all->candidates.count; i++) {
        struct test_candidate *candidate = &all->candidates.data[i];
        if (!candidate->is_asked)
            continue;
        if (candidate->verdict == TEST_REPRODUCES) {
            candidate->room = candidate->trial;
            candidate->is_asked = false;
        } else if (is_last || !go_on(all->failure, candidate, &searches[i])) {
            give_up(candidate, &searches[i]);
        } else {
            free(candidate->how);
            candidate->how = NULL;
            left++;
        }
    }
    return left;
}

struct error *test_fit_rooms(struct test_try *all) {
    struct search *searches CLEANUP_FREE = mem_zalloc(all->candidates.count + 1, sizeof *searches);
    struct error *err = NULL;
    size_t left = 0;
    for (size_t i = 0; i < all->candidates.count; i++) {
        begin(all->failure, &all->candidates.data[i], &searches[i]);
        left += all->candidates.data[i].is_asked;
    }
    for (int round = 0; !err && left; round++) {
        err = test_run(all);
        left = err ? 0 : look(all, searches, round + 1 == rounds);
    }
    for (size_t i = 0; i < all->candidates.count; i++) {
        all->candidates.data[i].is_asked = false;
        free(searches[i].how);
    }
    return err;
}
