/*
 * Segments of System V, which other processes have, too: where they lie, and what is in them when a
 * run is recorded or replayed (mapping_file.c).
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "runtime/mapping.h"
#include "runtime/raw.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"

/* Where the segments of a program that is not recorded lie. */
enum { most_segments = 256 };
static struct {
    const void *at;
    size_t size;
} segments[most_segments];

static void remember_segment(const void *address, size_t size) {
    for (unsigned i = 0; i < most_segments; i++)
        if (!segments[i].at) {
            segments[i].at = address;
            segments[i].size = size;
            return;
        }
}

static size_t forget_segment(const void *address) {
    for (unsigned i = 0; i < most_segments; i++)
        if (segments[i].at == address) {
            segments[i].at = NULL;
            return segments[i].size;
        }
    return 0;
}

static void *attach(int id, const void *address, int flags, size_t *ret_size) {
    struct shmid_ds info;
    *ret_size = 0;
    if (shmctl(id, IPC_STAT, &info) != 0)
        return shmat(id, address, flags);
    *ret_size = info.shm_segsz;
    if (address)
        return shmat(id, address, flags);
    uint64_t low = __recut_mapping_take(info.shm_segsz);
    void *got = shmat(id, (void *)low, flags);
    if (got == (void *)-1 && low)
        __recut_mapping_give(low, info.shm_segsz);
    return got;
}

static void *record_segment(int id, const void *address, int flags, uint64_t from) {
    int old = errno;
    size_t size;
    void *got = attach(id, address, flags, &size);
    bool worked = got != (void *)-1;
    if (worked && size > MAPPING_MOST_CONTENTS) {
        __recut_env_stop("shmat", "a segment of more than 512 MiB");
        return got;
    }
    size_t kept = worked ? mapping_without_zeros(got, size) : 0;
    unsigned char *p = __recut_special_write(SPECIAL_shmat, from, old, 100 + kept);
    if (!p)
        return got;
    p = put_svarint(put_svarint(put_svarint(p, id), (intptr_t)address), flags);
    p = __recut_special_result(p, (intptr_t)got, old);
    p = put_varint(p, worked);
    if (worked) {
        p = put_varint(put_varint(p, OUTPUT_OBJECT), sizeof(uint64_t) + kept);
        p = put_raw(put_u64(p, size), got, kept);
        __recut_env_shared(got, mapping_round_up(size));
    }
    __recut_special_end(p);
    return got;
}

static void *replay_segment(int id, const void *address, int flags, uint64_t from) {
    struct log_reader *log = __recut_special_read(SPECIAL_shmat, from);
    __recut_special_input(log, "id", id);
    __recut_special_input(log, "address", (intptr_t)address);
    __recut_special_input(log, "flags", flags);
    void *recorded = (void *)__recut_special_take_result(log);
    size_t size;
    const unsigned char *contents = __recut_special_take_object(log, &size);
    uint64_t length = 0;
    if (recorded != (void *)-1) {
        if (size < sizeof length)
            __recut_replay_damaged(log);
        memcpy(&length, contents, sizeof length);
        struct mapping mapping = {.address = recorded,
                                  .size = length,
                                  .flags = !address            ? 0
                                           : flags & SHM_REMAP ? MAP_FIXED
                                                               : MAP_FIXED_NOREPLACE};
        if (!address)
            mapping.address = NULL;
        void *got = __recut_map_instead(&mapping);
        if (got != recorded || size - sizeof length > length)
            __recut_diverge_number(log, "address of a segment", (int64_t)recorded, (int64_t)got,
                                   (struct diverge_place){"shmat", from});
        memcpy(got, contents + sizeof length, size - sizeof length);
        if (flags & SHM_RDONLY)
            raw_syscall3(SYS_mprotect, (long)got, (long)length, PROT_READ);
        __recut_env_shared(got, mapping_round_up(length));
    }
    __recut_special_done(log);
    return recorded;
}

void *__recut_shmat(int, const void *, int);
void *__recut_shmat(int id, const void *address, int flags) {
    SECTION(HERE);
    size_t size;
    if (__recut_env_mode == ENV_RECORD)
        return record_segment(id, address, flags, HERE);
    if (__recut_env_mode == ENV_REPLAY)
        return replay_segment(id, address, flags, HERE);
    void *got = attach(id, address, flags, &size);
    if (got != (void *)-1)
        remember_segment(got, size);
    return got;
}

static int detach(const void *address) {
    size_t size = forget_segment(address);
    int result = shmdt(address);
    if (result == 0 && size)
        __recut_mapping_give((uint64_t)address, size);
    return result;
}

int __recut_shmdt(const void *);
int __recut_shmdt(const void *address) {
    SECTION(HERE);
    int old = errno, result;
    size_t size = __recut_env_shared_size(address);
    if (__recut_env_mode == ENV_OFF)
        return detach(address);
    if (__recut_env_mode == ENV_RECORD) {
        result = shmdt(address);
        unsigned char *p = __recut_special_write(SPECIAL_shmdt, HERE, old, 40);
        if (p) {
            p = __recut_special_result(put_svarint(p, (intptr_t)address), result, old);
            __recut_special_end(put_varint(p, 0));
        }
    } else {
        struct log_reader *log = __recut_special_read(SPECIAL_shmdt, HERE);
        __recut_special_input(log, "address", (intptr_t)address);
        result = (int)__recut_special_take_result(log);
        if (get_varint(log) != 0)
            log->damaged = true;
        if (result == 0)
            raw_syscall3(SYS_munmap, (long)address, (long)size, 0);
        __recut_special_done(log);
    }
    if (result == 0) {
        __recut_env_unshared(address, size);
        __recut_mapping_give((uint64_t)address, size);
    }
    return result;
}
