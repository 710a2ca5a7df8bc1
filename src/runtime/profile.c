/*
 * Counters of the profile variant; see profile.h and format/variant.h.
 *
 * The counters live in a file that is mapped shared, so they are there for the
 * tool however the program ends: exit, signal, _exit, exec.  Every thread and
 * every process has a row of its own; a row is claimed once and never shared,
 * so counting needs no atomic operation.
 */
#include "runtime/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/variant.h"
#include "runtime/raw.h"
#include "runtime/self.h"

static struct profile_header *shared;
static int file = -1;
static uint64_t *spare; /* where a thread counts that found no row */

static void *map_row(uint64_t index) {
    off_t offset = (off_t)(PROFILE_HEADER_SIZE + index * shared->row_size);
    void *row = mmap(NULL, shared->row_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    return row == MAP_FAILED ? NULL : row;
}

static void claim_row(void) {
    uint64_t index = __atomic_fetch_add(&shared->row_count, 1, __ATOMIC_RELAXED);
    void *row = index < PROFILE_MAX_ROWS ? map_row(index) : NULL;
    if (!row) {
        __atomic_fetch_add(&shared->lost_count, 1, __ATOMIC_RELAXED);
        row = spare;
    }
    __recut_self.counters = row;
}

void __recut_profile_attach_here(void) {
    int saved = errno;
    claim_row();
    errno = saved;
}

/* The child of a fork goes on with the row of its parent otherwise. */
static void after_fork_in_child(void) {
    if (__recut_self.counters)
        claim_row();
}

bool __recut_profile_init(const struct variant_header *header, const char *path) {
    file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) {
        __recut_say("no file for the counters of the profile", NULL);
        return false;
    }
    shared = mmap(NULL, PROFILE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED || shared->magic != PROFILE_MAGIC ||
        shared->counter_count != header->counter_count ||
        memcmp(shared->build_id, header->build_id, BUILD_ID_SIZE) != 0) {
        __recut_say("the file for the counters of the profile is not for this program", NULL);
        return false;
    }
    spare = mmap(NULL, shared->row_size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (spare == MAP_FAILED)
        return false;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    claim_row();
    return true;
}
