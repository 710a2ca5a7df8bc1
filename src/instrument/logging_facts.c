/*
 * What is to be logged, and why?  See logging_facts.h.
 *
 * The section has the facts as they are in memory, compressed, behind a head that says by which
 * numbers of instructions they go: those are the same whenever the same tool reads the same build.
 */
#include "instrument/logging_facts.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "format/variant.h"

/* --- from the analyses -------------------------------------------------------------------- */

static void add(struct logging_facts *facts, instruction_id id, enum logging_fact_kind kind,
                uint32_t bits, uint32_t number) {
    if (bits)
        VEC_PUSH(&facts->list, (struct logging_fact){id, (uint16_t)kind, (uint16_t)bits, number});
}

/* Variables of libraries that the program names are looked after by the
 * runtime (env.c). */
static bool is_import(const struct program *program, value_id address) {
    int64_t offset;
    value_id base = program_strip_offsets(program, address, &offset);
    return base != NO_ID && program->values.data[base].kind == VALUE_GLOBAL &&
           program->memory.data[program->values.data[base].definition].flags & MEMORY_EXTERNAL;
}

static uint8_t access_bits(const struct environment *environment, const struct program *program,
                           instruction_id id, enum access access) {
    const struct instruction *instruction = &program->instructions.data[id];
    value_id address = access == ACCESS_READ ? instruction->read_at : instruction->written_at;
    if (address == NO_ID)
        return 0;
    uint8_t bits = environment_logged(environment_of_access(environment, id, access));
    if (access == ACCESS_WRITE) /* what the environment may write, the program may write, too */
        bits &= ENVIRONMENT_OWNED | ENVIRONMENT_HANDLE;
    return bits && !is_import(program, address) ? bits : 0;
}

/* An argument that is perhaps a struct by value: `number` counts operands. */
static uint8_t by_value_bits(const struct environment *environment, const struct program *program,
                             const struct instruction *call, uint32_t number) {
    value_id value = program->operands.data[call->operands.first + number];
    const struct value *argument = &program->values.data[value];
    if (!(call->flags & INSTRUCTION_BY_VALUE) ||
        program->types.data[argument->type].kind != TYPE_POINTER)
        return 0;
    return environment_logged(environment_of_address(environment, value));
}

static bool has_list(const struct pta *pta, const struct model_function *model) {
    if (model->flags & MODEL_SCANS)
        return false;
    for (uint32_t i = 0; i < model->param_count; i++)
        if (model_table_param(pta_models(pta), model, i)->kind == MODEL_PARAM_VALIST)
            return true;
    return false;
}

/* What is known of a call but for its arguments; `has_arguments`: those are looked at. */
static void find_callees(const struct pta *pta, instruction_id id, bool has_arguments,
                         struct logging_facts *facts) {
    uint32_t count;
    const function_id *callees = pta_callees(pta, id, &count);
    bool takes_list = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct model_function *model =
            callees[i] == NO_ID ? NULL : pta_model(pta, callees[i]);
        takes_list |= model && has_list(pta, model);
    }
    add(facts, id, FACT_NAMELESS, count > 0 && callees[count - 1] == NO_ID, 0);
    add(facts, id, FACT_LIST, takes_list, 0);
    for (uint32_t i = 0; (has_arguments || takes_list) && i < count; i++)
        if (callees[i] != NO_ID && pta_model(pta, callees[i]))
            add(facts, id, FACT_CALLEE, 1, callees[i]);
}

static void find_call(const struct environment *environment, const struct pta *pta,
                      instruction_id id, struct logging_facts *facts) {
    const struct program *program = pta_program(pta);
    const struct instruction *call = &program->instructions.data[id];
    size_t before = facts->list.count;
    for (uint32_t k = 0; k < call->operands.count; k++)
        add(facts, id, FACT_ARGUMENT,
            environment_logged(environment_of_argument(environment, id, k)), k);
    bool has_arguments = facts->list.count > before;
    for (uint32_t k = 0; k < call->operands.count; k++)
        add(facts, id, FACT_BY_VALUE, by_value_bits(environment, program, call, k), k);
    find_callees(pta, id, has_arguments, facts);
}

/* If all that is known is what calls may enter, nothing is logged at all. */
void logging_facts_find(const struct environment *environment, const struct pta *pta,
                        struct logging_facts *ret) {
    const struct program *program = pta_program(pta);
    bool is_any = false;
    for (instruction_id id = 0; id < program->instructions.count; id++) {
        size_t before = ret->list.count;
        add(ret, id, FACT_READ, access_bits(environment, program, id, ACCESS_READ), 0);
        add(ret, id, FACT_WRITTEN, access_bits(environment, program, id, ACCESS_WRITE), 0);
        if (program->instructions.data[id].flags & INSTRUCTION_CALL)
            find_call(environment, pta, id, ret);
        is_any |= ret->list.count > before && ret->list.data[before].kind < FACT_NAMELESS;
    }
    if (!is_any)
        ret->list.count = 0;
}

void logging_facts_deinit(struct logging_facts *facts) { VEC_DEINIT(&facts->list); }

/* --- asking ------------------------------------------------------------------------------- */

size_t logging_facts_first(const struct logging_facts *facts, instruction_id instruction,
                           enum logging_fact_kind kind, uint32_t number) {
    size_t low = 0, high = facts->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct logging_fact *one = &facts->list.data[middle];
        bool is_before = one->instruction != instruction ? one->instruction < instruction
                         : one->kind != kind             ? one->kind < kind
                                                         : one->number < number;
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint8_t logging_facts_bits(const struct logging_facts *facts, instruction_id instruction,
                           enum logging_fact_kind kind, uint32_t number) {
    size_t at = logging_facts_first(facts, instruction, kind, number);
    const struct logging_fact *one = at < facts->list.count ? &facts->list.data[at] : NULL;
    bool is_it =
        one && one->instruction == instruction && one->kind == kind && one->number == number;
    return is_it ? (uint8_t)one->bits : 0;
}

/* --- in an image -------------------------------------------------------------------------- */

#define FACTS_MAGIC 0x31544346544352ULL /* "RCTFCT1" */

struct facts_head {
    uint64_t magic;
    uint32_t version; /* VARIANT_VERSION */
    uint32_t instructions;
    uint64_t count;
    uint64_t hash; /* of what is behind the head */
};

void logging_facts_pack(const struct logging_facts *facts, char **ret_data, size_t *ret_size,
                        const struct program *program) {
    size_t size = facts->list.count * sizeof *facts->list.data, bound = ZSTD_compressBound(size);
    struct facts_head head = {
        .magic = FACTS_MAGIC,
        .version = VARIANT_VERSION,
        .instructions = (uint32_t)program->instructions.count,
        .count = facts->list.count,
    };
    char *data = mem_alloc(sizeof head + bound), *payload = data + sizeof head;
    size_t packed = ZSTD_compress(payload, bound, size ? (void *)facts->list.data : "", size, 3);
    if (ZSTD_isError(packed))
        BUG("zstd: %s", ZSTD_getErrorName(packed));
    head.hash = XXH3_64bits(payload, packed);
    memcpy(data, &head, sizeof head);
    *ret_data = data;
    *ret_size = sizeof head + packed;
}

static bool unpack(const char *data, size_t size, const struct program *program,
                   struct logging_facts *ret) {
    struct facts_head head;
    if (size < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    const char *payload = data + sizeof head;
    size_t packed = size - sizeof head, wanted = head.count * sizeof *ret->list.data;
    if (head.magic != FACTS_MAGIC || head.version != VARIANT_VERSION ||
        head.instructions != program->instructions.count || head.count > UINT32_MAX ||
        head.hash != XXH3_64bits(payload, packed) ||
        ZSTD_getFrameContentSize(payload, packed) != wanted)
        return false;
    struct logging_fact *facts = mem_alloc(wanted + 1);
    if (ZSTD_decompress(facts, wanted, payload, packed) != wanted) {
        free(facts);
        return false;
    }
    ret->list.data = facts;
    ret->list.count = ret->list.capacity = head.count;
    return true;
}

static Elf_Data *find_section(Elf *elf) {
    size_t names;
    GElf_Shdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, LOGGING_FACTS_SECTION) == 0)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

bool logging_facts_read(const char *image, const struct program *program,
                        struct logging_facts *ret) {
    int fd = open(image, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    Elf_Data *data = find_section(elf);
    bool is_read = data && data->d_buf && unpack(data->d_buf, data->d_size, program, ret);
    elf_end(elf);
    close(fd);
    return is_read;
}
