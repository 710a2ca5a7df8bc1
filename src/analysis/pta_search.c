/*
 * Trees and hash tables of <search.h>, which keep pointers of the program in memory of libc's.
 *
 *     tsearch(key, &root, compare)   root ──► node ──► key      what it returns: the node
 *     hsearch(entry, action)                  entry ──► key, data
 *
 * A node holds the key in front, and programs read it there.  Nodes are named by the call that
 * may make them; all entries of hash tables are one object.  What compares gets any key of the tree
 * in either place.
 */
#include <string.h>

#include "analysis/pta_impl.h"

enum search_kind { SEARCH_INSERT, SEARCH_FIND, SEARCH_WALK, SEARCH_DESTROY, SEARCH_HASH };

static const struct search {
    const char *name;
    uint8_t kind;
    uint8_t arguments; /* at least */
    uint8_t out;       /* SEARCH_HASH: argument that the entry's address is stored through, or 0 */
} searches[] = {
    {"tsearch", SEARCH_INSERT, 3, 0},   {"__tsearch", SEARCH_INSERT, 3, 0},
    {"tfind", SEARCH_FIND, 3, 0},       {"__tfind", SEARCH_FIND, 3, 0},
    {"tdelete", SEARCH_FIND, 3, 0},     {"__tdelete", SEARCH_FIND, 3, 0},
    {"twalk", SEARCH_WALK, 2, 0},       {"__twalk", SEARCH_WALK, 2, 0},
    {"twalk_r", SEARCH_WALK, 3, 0},     {"__twalk_r", SEARCH_WALK, 3, 0},
    {"tdestroy", SEARCH_DESTROY, 2, 0}, {"__tdestroy", SEARCH_DESTROY, 2, 0},
    {"hsearch", SEARCH_HASH, 2, 0},     {"hsearch_r", SEARCH_HASH, 4, 3},
};

static uint32_t loaded(struct pta *pta, uint32_t from) {
    uint32_t node = andersen_node(pta->solver);
    andersen_load(pta->solver, node, from, 0, GRANULE);
    return node;
}

/* A function is called with what `passed` holds in each of its parameters. */
static void calls(struct pta *pta, value_id function, uint32_t passed) {
    VEC_PUSH(&pta->callbacks, (struct callback){passed, NO_ID});
    andersen_watch(pta->solver, function,
                   pta_datum(WATCH_CALLBACK, (uint32_t)pta->callbacks.count - 1));
}

static void find(struct pta *pta, uint32_t id, const struct instruction *call, bool inserts) {
    value_id key = pta_operand(pta, call, 0), root = pta_operand(pta, call, 1);
    if (inserts) {
        uint32_t made = andersen_node(pta->solver);
        andersen_address(pta->solver, made, pta_heap_object(pta, id), 0);
        andersen_store(pta->solver, made, key, 0, GRANULE);
        andersen_store(pta->solver, root, made, 0, GRANULE);
    }
    uint32_t nodes = loaded(pta, root), compared = loaded(pta, nodes);
    if (pta->calls.data[id].plain != NO_ID)
        andersen_copy(pta->solver, pta->calls.data[id].plain, nodes);
    andersen_copy(pta->solver, compared, key);
    calls(pta, pta_operand(pta, call, 2), compared);
}

static void hash(struct pta *pta, uint32_t id, const struct instruction *call, function_id function,
                 uint32_t out) {
    uint32_t entry = andersen_node(pta->solver);
    andersen_address(pta->solver, entry, pta_described(pta, function), 0);
    for (uint32_t i = 0; i < 2; i++) /* the struct comes in two registers */
        pta_fill_contents(pta, entry, pta_operand(pta, call, i));
    if (out)
        andersen_store(pta->solver, pta_operand(pta, call, out), entry, 0, GRANULE);
    else if (pta->calls.data[id].plain != NO_ID)
        andersen_copy(pta->solver, pta->calls.data[id].plain, entry);
}

bool pta_search(struct pta *pta, uint32_t id, function_id function, const char *name) {
    const struct instruction *call =
        &pta->program->instructions.data[pta->calls.data[id].instruction];
    const struct search *search = searches, *end = searches + sizeof searches / sizeof *searches;
    while (search < end && strcmp(search->name, name) != 0)
        search++;
    if (search == end || call->operands.count < search->arguments)
        return false;
    uint32_t passed;
    switch (search->kind) {
    case SEARCH_INSERT:
    case SEARCH_FIND:
        find(pta, id, call, search->kind == SEARCH_INSERT);
        break;
    case SEARCH_WALK:
        passed = andersen_node(pta->solver);
        andersen_copy(pta->solver, passed, pta_operand(pta, call, 0));
        if (call->operands.count > 2)
            andersen_copy(pta->solver, passed, pta_operand(pta, call, 2));
        calls(pta, pta_operand(pta, call, 1), passed);
        break;
    case SEARCH_DESTROY:
        calls(pta, pta_operand(pta, call, 1), loaded(pta, pta_operand(pta, call, 0)));
        break;
    case SEARCH_HASH:
        hash(pta, id, call, function, search->out);
        break;
    default:
        break;
    }
    return true;
}
