/* How does a test run inside the program?  See testing.h. */
#include "runtime/testing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/capture.h"
#include "format/layout.h"
#include "runtime/hash.h"
#include "runtime/pool_impl.h"
#include "runtime/raw.h"
#include "runtime/self.h"

#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

enum { exit_bad_input = 65 };

static __attribute__((noreturn)) void refuse(const char *what, const char *why) {
    __recut_say(what, ": ", why, NULL);
    _exit(exit_bad_input);
}

/* --- memory ------------------------------------------------------------------------------- */

struct piece {
    uint64_t address, size;
    const char *bytes;
};

/* The records of a file, one after the other. */
struct pieces {
    const char *path, *at, *end;
};

static void open_pieces(const char *path, struct pieces *ret) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0)
        refuse(path, strerror(errno));
    const char *at =
        file.st_size == 0 ? "" : mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        refuse(path, strerror(errno));
    close(fd);
    *ret = (struct pieces){path, at, at + file.st_size};
}

static bool next_piece(struct pieces *pieces, struct piece *ret) {
    struct capture_record record;
    size_t left = (size_t)(pieces->end - pieces->at);
    if (!left)
        return false;
    memcpy(&record, pieces->at, left < sizeof record ? 0 : sizeof record);
    if (left < sizeof record || record.magic != CAPTURE_MAGIC || record.kind != CAPTURE_MEMORY ||
        record.size > left - sizeof record || record.size < 8 ||
        record.hash != __recut_hash(pieces->at + sizeof record, record.size))
        refuse(pieces->path, "is damaged");
    pieces->at += sizeof record;
    memcpy(&ret->address, pieces->at, 8);
    ret->bytes = pieces->at + 8;
    ret->size = record.size - 8;
    pieces->at += record.size;
    if (ret->address < RECUT_ARGS_BASE || ret->address >= RECUT_BRK_END ||
        ret->size > RECUT_BRK_END - ret->address)
        refuse(pieces->path, "is damaged");
    return true;
}

static bool is_table(const struct piece *piece) {
    return piece->address >= RECUT_TABLES_BASE && piece->address < RECUT_TABLES_END;
}

/* Pages that are there already stay. */
static void put(const struct pieces *pieces, const struct piece *piece) {
    enum { page = 4096 };
    uint64_t low = piece->address & ~(uint64_t)(page - 1), high = piece->address + piece->size;
    for (; low < high; low += page) {
        long wrong = raw_map_at(low, page);
        if (wrong && wrong != -EEXIST)
            refuse(pieces->path, strerror((int)-wrong));
    }
    memcpy((void *)piece->address, piece->bytes, piece->size);
}

/* Arenas whose tables are there. */
static void restore_heap(const struct pieces *pieces, uint64_t arenas_end) {
    for (uint64_t at = POOL_ARENA_TABLE; at < arenas_end; at += POOL_ARENA_STRIDE) {
        for (uint64_t page = at; page < at + POOL_ARENA_STRIDE; page += 4096)
            raw_map_at(page, 4096);
        if (!__recut_pool_restore((uint32_t)((at - POOL_ARENA_TABLE) / POOL_ARENA_STRIDE)))
            refuse(pieces->path, strerror(ENOMEM));
    }
    __recut_self.arena = NULL;
}

void __recut_test_memory(const char *path, uint64_t data_stack) {
    struct pieces pieces;
    struct piece piece;
    uint64_t arenas_end = 0;
    open_pieces(path, &pieces);
    for (struct pieces tables = pieces; next_piece(&tables, &piece);)
        if (is_table(&piece)) {
            put(&pieces, &piece);
            if (piece.address + piece.size > arenas_end)
                arenas_end = piece.address + piece.size;
        }
    restore_heap(&pieces, arenas_end);
    while (next_piece(&pieces, &piece))
        if (!is_table(&piece))
            put(&pieces, &piece);
    if (data_stack)
        __recut_self.data_stack = (char *)data_stack;
}

/* --- instead of main ---------------------------------------------------------------------- */

typedef int main_function(int, char **, char **);
extern main_function *__recut_main_function;
static const char *wanted;

static int run_test(int argc, char **argv, char **envp) {
    (void)envp;
    if (!dlopen || !dlsym)
        refuse(wanted, "a static program cannot load a test");
    void *test = dlopen(wanted, RTLD_NOW | RTLD_LOCAL);
    if (!test)
        refuse("cannot load the test", dlerror());
    int (*run)(int, char **);
    *(void **)&run = dlsym(test, "recut_test_main");
    if (!run)
        refuse(wanted, "is no test");
    return run(argc, argv);
}

void __recut_testing_init(char **envp) {
    wanted = __recut_variable(envp, TEST_ENV);
    if (wanted && *wanted)
        __recut_main_function = run_test;
}
