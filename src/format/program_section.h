/*
 * What an executable carries of its canonical program, in sections that
 * `strip` keeps.
 *
 * .recut.program   struct program_section, then the bitcode, zstd-compressed;
 *                  never loaded
 * .recut.table     addresses of all functions and globals (program/table.h)
 * .recut.runtime   struct runtime_section
 * .recut.names     functions of the environment that the program uses, each with
 *                  its NUL
 *
 * All numbers are little endian, as is the only machine that recut knows.
 */
#ifndef RECUT_FORMAT_PROGRAM_SECTION_H
#define RECUT_FORMAT_PROGRAM_SECTION_H

#include <stdint.h>

#define PROGRAM_SECTION ".recut.program"
#define RUNTIME_SECTION ".recut.runtime"
#define NAMES_SECTION ".recut.names"
/* Among the names: the program looks into streams or directories itself. */
#define NAMES_HANDLES "(handles)"
/* ... maps memory that other processes may write. */
#define NAMES_SHARED "(shared memory)"
/* ... makes threads, and has atomic operations. */
#define NAMES_ATOMICS "(atomics)"
/* ... has instructions whose results come from outside: system calls in assembly, rdtsc, rdrand. */
#define NAMES_UNSEEN "(unseen instructions)"
#define PROGRAM_MAGIC "RECUTPRG"
#define PROGRAM_VERSION 4
/* A program of more bitcode than this is taken for damage. */
#define PROGRAM_MAX_BITCODE (4ULL << 30)

#define BUILD_ID_SIZE 16

struct program_section {
    char magic[8];
    uint32_t version;
    uint32_t header_size;
    uint8_t build_id[BUILD_ID_SIZE]; /* XXH3-128 of the uncompressed bitcode */
    uint64_t bitcode_size;           /* uncompressed */
    uint64_t payload_size;           /* compressed, following this header */
    uint64_t payload_hash;           /* XXH3-64 of the compressed bytes */
};

#define RUNTIME_MAGIC 0x31544e5554434552ULL /* "RECUTNT1" */

struct runtime_section {
    uint64_t magic;
    int64_t self_offset; /* of struct recut_self from the thread pointer */
};

#endif
