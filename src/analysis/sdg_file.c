/* See sdg_file.h. */
#include "analysis/sdg_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "analysis/sdg_impl.h"

enum { SECTION_COUNT = 11, ALIGN = 64 };
static const char magic[8] = "RCSDG\0\0\1";

struct header {
    char magic[8];
    struct sdg_key key;
    uint64_t nodes, functions, instructions;
    uint64_t cells, hubs; /* for people */
    uint64_t sizes[SECTION_COUNT];
    uint64_t checksum; /* of the header, with 0 here, and then of all that follows */
};

struct section {
    const void *data;
    uint64_t size;
};

static uint64_t padded(uint64_t size) { return (size + ALIGN - 1) / ALIGN * ALIGN; }

static uint64_t checksum(struct header header, const struct section *sections) {
    XXH3_state_t *state = XXH3_createState();
    header.checksum = 0;
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, &header, sizeof header);
    for (int i = 0; i < SECTION_COUNT; i++)
        XXH3_64bits_update(state, sections[i].data, sections[i].size);
    uint64_t sum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return sum;
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool write_all(FILE *out, const struct header *header, const struct section *sections) {
    static const char zeros[ALIGN];
    bool is_good = fwrite(header, sizeof *header, 1, out) == 1;
    uint64_t at = sizeof *header;
    for (int i = 0; is_good && i < SECTION_COUNT; i++) {
        is_good = fwrite(zeros, padded(at) - at, 1, out) == (padded(at) > at);
        at = padded(at);
        is_good &= fwrite(sections[i].data, 1, sections[i].size, out) == sections[i].size;
        at += sections[i].size;
    }
    return is_good;
}

/* Bytes between the members are nobody's: they are not to be different in each file. */
static struct sdg_node *clean_nodes(const struct sdg *sdg) {
    struct sdg_node *nodes = mem_zalloc(sdg->nodes.count + 1, sizeof *nodes);
    for (size_t n = 0; n < sdg->nodes.count; n++) {
        nodes[n].kind = sdg->nodes.data[n].kind;
        nodes[n].function = sdg->nodes.data[n].function;
        nodes[n].of = sdg->nodes.data[n].of;
        nodes[n].part = sdg->nodes.data[n].part;
    }
    return nodes;
}

bool sdg_save(const struct sdg *sdg, const char *path, const struct sdg_key *key) {
    size_t nodes = sdg->nodes.count, functions = sdg->program->functions.count;
    size_t instructions = sdg->program->instructions.count;
    uint64_t edges = sdg->in.start[nodes];
    struct sdg_node *clean CLEANUP_FREE = clean_nodes(sdg);
    node_id *first CLEANUP_FREE = mem_alloc((functions + 1) * sizeof *first);
    for (size_t f = 0; f < functions; f++)
        first[f] = sdg->impl->functions[f].first_argument;
    const struct section sections[SECTION_COUNT] = {
        {clean, nodes * sizeof *clean},
        {sdg->in.start, (nodes + 1) * sizeof *sdg->in.start},
        {sdg->in.edges, edges * sizeof *sdg->in.edges},
        {sdg->out.start, (nodes + 1) * sizeof *sdg->out.start},
        {sdg->out.edges, edges * sizeof *sdg->out.edges},
        {sdg->entries, functions * sizeof *sdg->entries},
        {sdg->results, functions * sizeof *sdg->results},
        {first, functions * sizeof *first},
        {sdg->impl->call_results, instructions * sizeof *sdg->impl->call_results},
        {sdg->initial.start, (nodes + 1) * sizeof *sdg->initial.start},
        {sdg->initial.list, sdg->initial.start[nodes] * sizeof *sdg->initial.list},
    };
    struct header header = {.key = *key,
                            .nodes = nodes,
                            .functions = functions,
                            .instructions = instructions,
                            .cells = sdg->figures.cells,
                            .hubs = sdg->figures.hubs};
    memcpy(header.magic, magic, sizeof magic);
    for (int i = 0; i < SECTION_COUNT; i++)
        header.sizes[i] = sections[i].size;
    header.checksum = checksum(header, sections);
    char *temp CLEANUP_FREE = mem_printf("%s.%ld.tmp", path, (long)getpid());
    FILE *out = fopen(temp, "we");
    bool is_good = out && write_all(out, &header, sections);
    is_good &= out && fclose(out) == 0;
    is_good = is_good && rename(temp, path) == 0;
    if (!is_good)
        unlink(temp);
    return is_good;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Finds the sections; false if they are not where they should be. */
static bool find_sections(const struct header *header, uint64_t size, struct section *sections) {
    uint64_t at = sizeof *header;
    for (int i = 0; i < SECTION_COUNT; i++) {
        at = padded(at);
        if (at > size || header->sizes[i] > size - at)
            return false;
        sections[i] = (struct section){(const char *)header + at, header->sizes[i]};
        at += header->sizes[i];
    }
    return at == size;
}

static bool has_sizes(const struct header *header, const struct section *sections) {
    uint64_t nodes = header->nodes;
    if (sections[0].size != nodes * sizeof(struct sdg_node) ||
        sections[1].size != (nodes + 1) * sizeof(uint64_t) ||
        sections[3].size != sections[1].size ||
        sections[5].size != header->functions * sizeof(node_id) ||
        sections[6].size != sections[5].size || sections[7].size != sections[5].size ||
        sections[8].size != header->instructions * sizeof(node_id) ||
        sections[9].size != (nodes + 1) * sizeof(uint32_t))
        return false;
    uint64_t edges = ((const uint64_t *)sections[1].data)[nodes];
    uint32_t initial = ((const uint32_t *)sections[9].data)[nodes];
    return sections[2].size == edges * sizeof(struct sdg_edge) &&
           sections[4].size == sections[2].size && sections[10].size == initial * sizeof(memory_id);
}

static bool is_of(const struct header *header, const struct program *program,
                  const struct sdg_key *key) {
    return memcmp(header->magic, magic, sizeof magic) == 0 &&
           memcmp(&header->key, key, sizeof *key) == 0 &&
           header->functions == program->functions.count &&
           header->instructions == program->instructions.count;
}

static struct sdg *make(const struct program *program, const struct header *header, uint64_t size,
                        const struct section *sections) {
    struct sdg *sdg = mem_zalloc(1, sizeof *sdg);
    struct sdg_impl *impl = sdg->impl = mem_zalloc(1, sizeof *impl);
    sdg->program = program;
    sdg->nodes.data = (void *)sections[0].data;
    sdg->nodes.count = header->nodes;
    sdg->in = (struct sdg_edges){(void *)sections[1].data, (void *)sections[2].data};
    sdg->out = (struct sdg_edges){(void *)sections[3].data, (void *)sections[4].data};
    sdg->entries = (void *)sections[5].data;
    sdg->results = (void *)sections[6].data;
    impl->functions = mem_zalloc(program->functions.count + 1, sizeof *impl->functions);
    for (function_id f = 0; f < program->functions.count; f++)
        impl->functions[f].first_argument = ((const node_id *)sections[7].data)[f];
    impl->call_results = (void *)sections[8].data;
    sdg->initial.start = (void *)sections[9].data;
    sdg->initial.list = (void *)sections[10].data;
    sdg->figures.cells = header->cells;
    sdg->figures.hubs = header->hubs;
    sdg->mapped = (void *)header;
    sdg->mapped_size = size;
    return sdg;
}

struct sdg *sdg_load(const struct program *program, const char *path, const struct sdg_key *key) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0)
        return NULL;
    void *data = MAP_FAILED;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(struct header))
        data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        return NULL;
    const struct header *header = data;
    uint64_t size = (uint64_t)st.st_size;
    struct section sections[SECTION_COUNT];
    if (is_of(header, program, key) && find_sections(header, size, sections) &&
        has_sizes(header, sections) && checksum(*header, sections) == header->checksum)
        return make(program, header, size, sections);
    munmap(data, size);
    return NULL;
}
