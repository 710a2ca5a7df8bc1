/*
 * Mappings of files, while a run is recorded or replayed.
 *
 * What is there when it is mapped goes into the log, as far as the file goes and
 * without the zeros at its end.  A replay maps memory at the same address and
 * fills it in.  A private mapping is replay space from then on.  A shared one
 * may be written by others, so it is environment (shared.h).
 *
 * Imprecise: pages behind the end of the file raise SIGBUS when they are recorded and read as
 * zeros in replay, unless the program dies of it; what the program writes to the file by another
 * way (write, a second mapping) is not seen in a shared mapping in replay.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/careful.h"
#include "runtime/mapping.h"
#include "runtime/raw.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"

/* --- which mappings are of files -------------------------------------------------------- */

enum { most_files = 1024 };
static struct file {
    uint64_t low, high;
    int protection; /* as it was mapped */
} files[most_files];
static unsigned file_count;

static void remember_file(const void *address, size_t size, int protection) {
    uint64_t low = (uint64_t)address;
    if (file_count < most_files)
        files[file_count++] = (struct file){low, low + mapping_round_up(size), protection};
}

static int protection_of(const void *address) {
    for (unsigned i = 0; i < file_count; i++)
        if (files[i].low <= (uint64_t)address && (uint64_t)address < files[i].high)
            return files[i].protection;
    return PROT_READ | PROT_WRITE;
}

bool __recut_mapping_is_file(const void *address, size_t size) {
    for (unsigned i = 0; i < file_count; i++)
        if (files[i].low < (uint64_t)address + size && files[i].high > (uint64_t)address)
            return true;
    return false;
}

void __recut_mapping_cut(const void *address) {
    uint64_t page = (uint64_t)address & ~(uint64_t)4095;
    if (!__recut_mapping_is_file((void *)page, 1))
        return;
    long fd = raw_syscall3(SYS_memfd_create, (long)"recut", MFD_CLOEXEC, 0);
    if (fd < 0)
        return;
    raw_syscall6(SYS_mmap, (long)page, 4096, protection_of((void *)page), MAP_PRIVATE | MAP_FIXED,
                 fd, 0);
    raw_syscall3(SYS_close, fd, 0, 0);
}

/* A mapping of which a part is left counts as whole. */
void __recut_mapping_forget_file(const void *address, size_t size) {
    for (unsigned i = 0; i < file_count;) {
        if (files[i].low >= (uint64_t)address && files[i].high <= (uint64_t)address + size)
            files[i] = files[--file_count];
        else
            i++;
    }
}

/* --- contents ---------------------------------------------------------------------------- */

/* How much of the mapping the file fills; SIZE_MAX if it is no file of bytes. */
static size_t file_part(const struct mapping *mapping) {
    struct stat now;
    if (fstat(mapping->fd, &now) != 0)
        return SIZE_MAX;
    if (S_ISCHR(now.st_mode) && now.st_rdev == makedev(1, 5)) /* /dev/zero */
        return 0;
    if (!S_ISREG(now.st_mode))
        return SIZE_MAX;
    if (mapping->offset >= now.st_size)
        return 0;
    size_t left = (size_t)(now.st_size - mapping->offset);
    return left < mapping->size ? left : mapping->size;
}

static size_t read_part(int fd, unsigned char *to, size_t size, off_t offset) {
    size_t got = 0;
    while (got < size) {
        long more = raw_syscall6(SYS_pread64, fd, (long)(to + got), (long)(size - got),
                                 offset + (off_t)got, 0, 0);
        if (more <= 0)
            break;
        got += (size_t)more;
    }
    return got;
}

/* --- mmap ---------------------------------------------------------------------------------- */

static unsigned char *put_mapping(unsigned char *p, const struct mapping *mapping) {
    p = put_svarint(put_svarint(p, (intptr_t)mapping->address), (int64_t)mapping->size);
    p = put_svarint(put_svarint(p, mapping->protection), mapping->flags);
    return put_svarint(put_svarint(p, mapping->fd), mapping->offset);
}

static void check_mapping(struct log_reader *log, const struct mapping *mapping) {
    __recut_special_input(log, "address", (intptr_t)mapping->address);
    __recut_special_input(log, "size", (int64_t)mapping->size);
    __recut_special_input(log, "protection", mapping->protection);
    __recut_special_input(log, "flags", mapping->flags);
    __recut_special_input(log, "fd", mapping->fd);
    __recut_special_input(log, "offset", mapping->offset);
}

/* The bytes are read into the log itself, so their count takes its full width. */
static unsigned char *put_contents(unsigned char *p, const struct mapping *mapping, size_t size) {
    enum { head = 5 };
    p = put_varint(put_varint(p, 1), OUTPUT_OBJECT);
    size_t got = read_part(mapping->fd, p + head, size, mapping->offset);
    got = mapping_without_zeros(p + head, got);
    for (unsigned k = 0; k < head; k++)
        p[k] = (unsigned char)((got >> 7 * k & 0x7f) | (k + 1 < head ? 0x80 : 0));
    return p + head + got;
}

static void *record_file(const struct mapping *mapping) {
    int old = errno;
    void *got = __recut_map(mapping);
    size_t size = 0;
    if (got != MAP_FAILED) {
        size = file_part(mapping);
        errno = old;
        if (size > MAPPING_MOST_CONTENTS) {
            __recut_env_stop("mmap", size == SIZE_MAX ? "a mapping of a device"
                                                      : "a mapping of more than 512 MiB");
            return got;
        }
    }
    unsigned char *p = __recut_special_write(SPECIAL_mmap, mapping->from, old, 128 + size);
    if (!p)
        return got;
    p = __recut_special_result(put_mapping(p, mapping), (intptr_t)got, old);
    p = got == MAP_FAILED ? put_varint(p, 0) : put_contents(p, mapping, size);
    env_thread()->out.events++;
    log_end(&env_thread()->out, p);
    return got;
}

static void *replay_file(const struct mapping *mapping) {
    struct log_reader *log = __recut_special_read(SPECIAL_mmap, mapping->from);
    check_mapping(log, mapping);
    void *recorded = (void *)__recut_special_take_result(log);
    size_t size;
    const unsigned char *contents = __recut_special_take_object(log, &size);
    if (recorded == MAP_FAILED)
        return recorded;
    void *got = __recut_map_instead(mapping);
    if (got != recorded || size > mapping->size)
        __recut_diverge_number(log, "address of a mapping", (int64_t)recorded, (int64_t)got,
                               (struct diverge_place){"mmap", mapping->from});
    if (size)
        memcpy(got, contents, size);
    if (mapping->protection != (PROT_READ | PROT_WRITE))
        raw_syscall3(SYS_mprotect, (long)got, (long)mapping->size, mapping->protection);
    return got;
}

void *__recut_map_file(const struct mapping *mapping) {
    bool records = __recut_env_mode == ENV_RECORD;
    void *got = records ? record_file(mapping) : replay_file(mapping);
    int error = errno;
    if (got != MAP_FAILED) {
        remember_file(got, mapping->size, mapping->protection);
        if ((mapping->flags & MAP_TYPE) != MAP_PRIVATE)
            __recut_env_shared(got, mapping_round_up(mapping->size));
    }
    if (records && __recut_env_mode == ENV_RECORD)
        __recut_env_note(&env_thread()->out);
    else if (!records)
        __recut_special_done(&env_thread()->in);
    errno = error;
    return got;
}

/* --- mremap ------------------------------------------------------------------------------ */

/* Up to the end of the file. */
static size_t readable_part(const char *at, size_t size) {
    size_t part = 0;
    while (part < size && __recut_can_read(at + part, 1))
        part += 4096;
    return part < size ? part : size;
}

static void record_growth(const struct growth *growth) {
    char *more = (char *)growth->now + mapping_round_up(growth->old_size);
    size_t size = mapping_round_up(growth->size) - mapping_round_up(growth->old_size), kept = 0;
    int result = errno;
    if (growth->now != MAP_FAILED)
        kept = mapping_without_zeros((unsigned char *)more, readable_part(more, size));
    if (kept > MAPPING_MOST_CONTENTS) {
        __recut_env_stop("mremap", "a mapping of more than 512 MiB");
        return;
    }
    errno = result;
    unsigned char *p =
        __recut_special_write(SPECIAL_mremap, growth->from, growth->old_errno, 128 + kept);
    if (!p)
        return;
    p = put_svarint(put_svarint(p, (intptr_t)growth->old), (int64_t)growth->old_size);
    p = put_svarint(put_svarint(p, (int64_t)growth->size), growth->flags);
    p = __recut_special_result(p, (intptr_t)growth->now, growth->old_errno);
    __recut_special_end(__recut_special_put_object(p, kept ? more : NULL, kept));
}

static void replay_growth(const struct growth *growth) {
    struct log_reader *log = __recut_special_read(SPECIAL_mremap, growth->from);
    __recut_special_input(log, "address", (intptr_t)growth->old);
    __recut_special_input(log, "old", (int64_t)growth->old_size);
    __recut_special_input(log, "n", (int64_t)growth->size);
    __recut_special_input(log, "flags", growth->flags);
    int64_t recorded = __recut_special_take_result(log);
    size_t kept;
    const unsigned char *contents = __recut_special_take_object(log, &kept);
    char *more = (char *)growth->now + mapping_round_up(growth->old_size);
    size_t size = mapping_round_up(growth->size) - mapping_round_up(growth->old_size);
    if (recorded != (intptr_t)growth->now || kept > size)
        __recut_diverge_number(log, "address of a mapping", recorded, (intptr_t)growth->now,
                               (struct diverge_place){"mremap", growth->from});
    if (kept) {
        int protection = protection_of(growth->old);
        raw_syscall3(SYS_mprotect, (long)more, (long)size, PROT_READ | PROT_WRITE);
        memcpy(more, contents, kept);
        raw_syscall3(SYS_mprotect, (long)more, (long)size, protection);
    }
    __recut_special_done(log);
}

void __recut_mapping_grew(const struct growth *growth) {
    if (__recut_env_mode == ENV_RECORD)
        record_growth(growth);
    else
        replay_growth(growth);
    if (growth->now == MAP_FAILED)
        return;
    int protection = protection_of(growth->old);
    __recut_mapping_forget_file(growth->old, mapping_round_up(growth->old_size));
    remember_file(growth->now, growth->size, protection);
}

/* --- madvise ---------------------------------------------------------------------------------- */

enum { dontneed_locked = 24 }; /* MADV_DONTNEED_LOCKED */

/* Advice is for the kernel that is there, but some of it throws contents away ... */
static bool drops_contents(int advice) {
    return advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == dontneed_locked;
}

/* ... or does so in children. */
static bool is_about_children(int advice) {
    return advice == MADV_WIPEONFORK || advice == MADV_KEEPONFORK || advice == MADV_DONTFORK ||
           advice == MADV_DOFORK;
}

int __recut_special_madvise(void *, size_t, int);
int __recut_special_madvise(void *address, size_t size, int advice) {
    int old = errno, result;
    if (__recut_env_mode == ENV_RECORD) {
        if (drops_contents(advice) && __recut_mapping_is_file(address, size))
            __recut_env_stop("madvise", "what a file holds comes back into its mapping");
        /* When pages go is left to the kernel: never is one of the times. */
        result = advice == MADV_FREE ? 0 : REAL(madvise)(address, size, advice);
        if (__recut_env_mode == ENV_OFF)
            return result;
        unsigned char *p = __recut_special_write(SPECIAL_madvise, HERE, old, 80);
        if (p) {
            p = put_svarint(put_svarint(p, (intptr_t)address), (int64_t)size);
            p = __recut_special_result(put_svarint(p, advice), result, old);
            __recut_special_end(put_varint(p, 0));
        }
        return result;
    }
    struct log_reader *log = __recut_special_read(SPECIAL_madvise, HERE);
    __recut_special_input(log, "address", (intptr_t)address);
    __recut_special_input(log, "size", (int64_t)size);
    __recut_special_input(log, "advice", advice);
    result = (int)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    /* ENOMEM: where there is nothing; it was done to the rest. */
    if ((result == 0 || errno == ENOMEM) && (drops_contents(advice) || is_about_children(advice)))
        raw_syscall3(SYS_madvise, (long)address, (long)size, advice);
    __recut_special_done(log);
    return result;
}
