/*
 * Statements that control may pass; completes.h.
 */
#include "slice/completes.h"

struct search {
    const struct syntax_tree *tree;
    const struct completes_facts *facts;
};

static const struct statement *at(const struct search *search, uint32_t id) {
    return &search->tree->statements.data[id];
}

/* Does what is below jump out of the loop or switch that it is in, by `kind`, on a way that
 * no constant decides about? */
static bool leaves(const struct search *search, uint32_t id, enum statement_kind kind) {
    const struct statement *statement = at(search, id);
    if (statement->kind == kind)
        return true;
    bool is_loop = statement->kind == STATEMENT_LOOP || statement->kind == STATEMENT_DO;
    if (is_loop || (statement->kind == STATEMENT_SWITCH && kind == STATEMENT_BREAK) ||
        ((statement->kind == STATEMENT_IF || statement->kind == STATEMENT_SWITCH) &&
         !search->facts->branches[id]))
        return false;
    for (uint32_t child = statement->first_child; child != NO_STATEMENT;
         child = at(search, child)->next)
        if (leaves(search, child, kind))
            return true;
    return false;
}

static bool has_default(const struct search *search, uint32_t id) {
    const struct statement *statement = at(search, id);
    if (statement->is_default)
        return true;
    for (uint32_t child = statement->first_child; child != NO_STATEMENT;
         child = at(search, child)->next)
        if (at(search, child)->kind != STATEMENT_SWITCH && has_default(search, child))
            return true;
    return false;
}

static bool all_complete(const struct search *search, uint32_t id) {
    for (uint32_t child = at(search, id)->first_child; child != NO_STATEMENT;
         child = at(search, child)->next)
        if (!completes(search->tree, search->facts, child))
            return false;
    return true;
}

static bool if_completes(const struct search *search, uint32_t id) {
    uint32_t then = at(search, id)->first_child;
    bool first = then == NO_STATEMENT || completes(search->tree, search->facts, then);
    uint32_t other = then == NO_STATEMENT ? NO_STATEMENT : at(search, then)->next;
    bool second = other == NO_STATEMENT || completes(search->tree, search->facts, other);
    return search->facts->branches[id] ? first || second : first && second;
}

bool completes(const struct syntax_tree *tree, const struct completes_facts *facts, uint32_t id) {
    struct search search = {tree, facts};
    const struct statement *statement = at(&search, id);
    uint32_t body = statement->first_child;
    bool has_break = body != NO_STATEMENT && leaves(&search, body, STATEMENT_BREAK);
    switch ((enum statement_kind)statement->kind) {
    case STATEMENT_SIMPLE:
        return !statement->has_jump && !facts->ends[id];
    case STATEMENT_DECLARATION:
    case STATEMENT_TYPES:
        return !statement->has_jump;
    case STATEMENT_IF:
        return if_completes(&search, id);
    case STATEMENT_LOOP:
        return facts->branches[id] || has_break;
    case STATEMENT_DO:
        /* Without a branch it is run once, or for ever. */
        return has_break || (facts->branches[id] &&
                             (all_complete(&search, id) ||
                              (body != NO_STATEMENT && leaves(&search, body, STATEMENT_CONTINUE))));
    case STATEMENT_SWITCH:
        return facts->branches[id] ? has_break || !has_default(&search, id)
                                   : all_complete(&search, id);
    case STATEMENT_FUNCTION:
    case STATEMENT_COMPOUND:
    case STATEMENT_LABEL:
        return all_complete(&search, id);
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_GOTO:
    case STATEMENT_RETURN:
        return false;
    }
    return false;
}
