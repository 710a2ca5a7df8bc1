/*
 * re_search() and re_match() of GNU regular expressions.
 *
 * libc allocates the vectors of registers that the program looks into.  Before
 * the call they are made as large as libc would make them, in the program's own
 * heap, in both modes; so libc finds nothing left to allocate.  A search that
 * finds nothing leaves them allocated, which libc would not have done yet.
 *
 * What the call writes goes into the log piece by piece with its address: the
 * expression, its fastmap, the registers.
 */
#include <regex.h>
#include <stdint.h>

#include "runtime/owned.h"
#include "runtime/special_data.h"

enum { fastmap_size = 256, most_pieces = 5 };

struct search {
    enum special special;
    uint64_t from;
    struct re_pattern_buffer *expression;
    const char *text;
    regoff_t length, start, range;
    struct re_registers *registers;
    uint32_t hash[2]; /* of what it reads: expression, text */
};

static void prepare(const struct search *search) {
    struct re_pattern_buffer *expression = search->expression;
    struct re_registers *registers = search->registers;
    size_t need = expression->re_nsub + 2;
    if (!registers || expression->no_sub || expression->regs_allocated == REGS_FIXED)
        return;
    bool fresh = expression->regs_allocated == REGS_UNALLOCATED;
    if (!fresh && registers->num_regs >= need)
        return;
    registers->start = owned_realloc(fresh ? NULL : registers->start, need * sizeof(regoff_t));
    registers->end = owned_realloc(fresh ? NULL : registers->end, need * sizeof(regoff_t));
    registers->num_regs = (__re_size_t)need;
    expression->regs_allocated = REGS_REALLOCATE;
}

struct piece {
    void *at;
    size_t size;
};

static unsigned list_pieces(const struct search *search, struct piece *ret) {
    unsigned count = 0;
    ret[count++] = (struct piece){search->expression, sizeof *search->expression};
    if (search->expression->fastmap)
        ret[count++] = (struct piece){search->expression->fastmap, fastmap_size};
    if (search->registers && !search->expression->no_sub) {
        size_t size = search->registers->num_regs * sizeof(regoff_t);
        ret[count++] = (struct piece){search->registers, sizeof *search->registers};
        ret[count++] = (struct piece){search->registers->start, size};
        ret[count++] = (struct piece){search->registers->end, size};
    }
    return count;
}

static int record(const struct search *search) {
    int old = errno, result;
    if (search->special == SPECIAL_re_search)
        result = REAL(re_search)(search->expression, search->text, search->length, search->start,
                                 search->range, search->registers);
    else
        result = REAL(re_match)(search->expression, search->text, search->length, search->start,
                                search->registers);
    struct piece pieces[most_pieces];
    unsigned count = list_pieces(search, pieces);
    size_t bound = 120;
    for (unsigned i = 0; i < count; i++)
        bound += pieces[i].size + 24;
    unsigned char *p = __recut_special_write(search->special, search->from, old, bound);
    if (!p)
        return result;
    p = put_u32(put_u32(p, search->hash[0]), search->hash[1]);
    p = put_svarint(put_svarint(p, search->length), search->start);
    if (search->special == SPECIAL_re_search)
        p = put_svarint(p, search->range);
    p = __recut_special_result(p, result, old);
    p = put_varint(p, count);
    for (unsigned i = 0; i < count; i++) {
        p = put_varint(put_varint(p, OUTPUT_MEMORY), sizeof(uint64_t) + pieces[i].size);
        p = put_raw(put_u64(p, (uint64_t)pieces[i].at), pieces[i].at, pieces[i].size);
    }
    __recut_special_end(p);
    return result;
}

static int replay(const struct search *search) {
    struct log_reader *log = __recut_special_read(search->special, search->from);
    __recut_special_hash_is(log, "expression", search->hash[0]);
    __recut_special_hash_is(log, "text", search->hash[1]);
    __recut_special_input(log, "length", search->length);
    __recut_special_input(log, "start", search->start);
    if (search->special == SPECIAL_re_search)
        __recut_special_input(log, "range", search->range);
    int result = (int)__recut_special_take_result(log);
    struct piece pieces[most_pieces];
    unsigned count = list_pieces(search, pieces);
    if (get_varint(log) != count)
        __recut_replay_damaged(log);
    for (unsigned i = 0; i < count; i++) {
        size_t size;
        uint64_t tag = get_varint(log);
        const unsigned char *bytes = get_bytes(log, &size);
        if (tag != OUTPUT_MEMORY || !bytes || size != sizeof(uint64_t) + pieces[i].size)
            __recut_replay_damaged(log);
        memcpy(pieces[i].at, bytes + sizeof(uint64_t), pieces[i].size);
    }
    __recut_special_done(log);
    return result;
}

static int search_text(struct search *search) {
    prepare(search);
    search->hash[0] = __recut_special_hash_of(search->expression, sizeof *search->expression);
    search->hash[1] = __recut_special_hash_of(search->text, (size_t)search->length);
    return __recut_env_mode == ENV_RECORD ? record(search) : replay(search);
}

regoff_t __recut_special_re_search(struct re_pattern_buffer *, const char *, regoff_t, regoff_t,
                                   regoff_t, struct re_registers *);
regoff_t __recut_special_re_search(struct re_pattern_buffer *expression, const char *text,
                                   regoff_t length, regoff_t start, regoff_t range,
                                   struct re_registers *registers) {
    struct search search = {SPECIAL_re_search, HERE, expression, text, length, start, range,
                            registers,         {0}};
    return search_text(&search);
}

regoff_t __recut_special_re_match(struct re_pattern_buffer *, const char *, regoff_t, regoff_t,
                                  struct re_registers *);
regoff_t __recut_special_re_match(struct re_pattern_buffer *expression, const char *text,
                                  regoff_t length, regoff_t start, struct re_registers *registers) {
    struct search search = {SPECIAL_re_match, HERE, expression, text, length, start, 0,
                            registers,        {0}};
    return search_text(&search);
}
