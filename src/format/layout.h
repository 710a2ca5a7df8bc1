/*
 * Where everything of a canonical program lives.
 *
 * A canonical program touches the same addresses in every run, with address
 * space randomisation on, in every mode and under every variant.  This header
 * is the one place that says which address belongs to what; the code that is
 * generated, the runtime and the tools all read it.
 *
 * Everything lies below 8 TiB: the kernel places nothing there by itself, and
 * valgrind leaves that half to the program.  Regions are mapped piece by piece
 * as they are needed (MAP_FIXED_NOREPLACE), never reserved as a whole, so that
 * `ulimit -v` and strict overcommit mean what they always meant.
 *
 *   0x0000'0100'0000  variants, below the executable, within reach of `jmp rel32`
 *   0x0000'1000'0000  the executable, not position independent
 *   0x0100'0000'0000  copies of argv, environ and the auxiliary vector
 *   0x0110'0000'0000  thread-local blocks, one for each thread slot
 *   0x0120'0000'0000  the runtime's own tables
 *   0x0140'0000'0000  copies of objects that the environment returned, when recorded
 *   0x0150'0000'0000  machine stacks of the other threads, when recorded
 *   0x0180'0000'0000  machine stack of main, growing down from here
 *   0x01a0'0000'0000  machine stack of a test
 *   0x01c0'0000'0000  data stack of main, growing down from here
 *   0x0200'0000'0000  data stacks of the other threads, one window a slot
 *   0x0400'0000'0000  pool: main's arena, the threads' arenas, the shared rest
 *   0x0680'0000'0000  program's mmap
 *   0x0780'0000'0000  program's brk
 */
#ifndef RECUT_FORMAT_LAYOUT_H
#define RECUT_FORMAT_LAYOUT_H

#define RECUT_KIB (1024ULL)
#define RECUT_MIB (1024ULL * RECUT_KIB)
#define RECUT_GIB (1024ULL * RECUT_MIB)
#define RECUT_TIB (1024ULL * RECUT_GIB)

/* A thread slot is a dense small number; main has slot 0. */
#define RECUT_MAX_THREADS 8192ULL

#define RECUT_VARIANT_BASE 0x01000000ULL
#define RECUT_VARIANT_END 0x10000000ULL
#define RECUT_IMAGE_BASE 0x10000000ULL

#define RECUT_ARGS_BASE 0x010000000000ULL
#define RECUT_ARGS_END 0x011000000000ULL

#define RECUT_TLS_BASE 0x011000000000ULL
#define RECUT_TLS_END 0x012000000000ULL

/* Tables of the runtime that must not move: the pool's page map and spans. */
#define RECUT_TABLES_BASE 0x012000000000ULL
#define RECUT_TABLES_END 0x014000000000ULL
/* The pool's come first, and take this much. */
#define RECUT_POOL_TABLES (65 * RECUT_GIB)

/* What getpwnam(), readdir() and others return, as the program sees it. */
#define RECUT_MIRROR_BASE 0x014000000000ULL
#define RECUT_MIRROR_END 0x015000000000ULL

/* Those of threads that are recorded: what libc keeps of a thread lies there, too, and
 * a pthread_t is its address. */
#define RECUT_THREAD_MACHINE 0x015000000000ULL
#define RECUT_THREAD_MACHINE_WINDOW (16 * RECUT_MIB)

#define RECUT_MACHINE_STACK_TOP 0x018000000000ULL
/* That of a test, which has what the stacks of the failed run held in their place. */
#define RECUT_TEST_STACK_TOP 0x01a000000000ULL
#define RECUT_DATA_STACK_TOP 0x01c000000000ULL
#define RECUT_STACK_MAX (64 * RECUT_GIB)

/* Slot s > 0 grows down from RECUT_THREAD_STACKS + (s + 1) * WINDOW. */
#define RECUT_THREAD_STACKS 0x020000000000ULL
#define RECUT_THREAD_STACK_WINDOW (256 * RECUT_MIB)
/* The lowest part of each window stays unmapped: no frame that is not probed
 * can step over it. */
#define RECUT_STACK_GUARD (16 * RECUT_MIB)
/* Frames larger than this are touched page by page when they are made. */
#define RECUT_PROBE_SIZE (1 * RECUT_MIB)

#define RECUT_POOL_BASE 0x040000000000ULL
#define RECUT_POOL_MAIN_END 0x050000000000ULL
#define RECUT_POOL_THREADS 0x050000000000ULL
#define RECUT_POOL_THREAD_WINDOW (128 * RECUT_MIB)
#define RECUT_POOL_SHARED 0x060000000000ULL
#define RECUT_POOL_END 0x068000000000ULL

#define RECUT_MMAP_BASE 0x068000000000ULL
#define RECUT_MMAP_END 0x078000000000ULL

#define RECUT_BRK_BASE 0x078000000000ULL
#define RECUT_BRK_END 0x07c000000000ULL

#endif
