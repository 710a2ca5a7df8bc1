/*
 * The beginning of a canonical program.
 *
 * crt1.o calls __libc_start_main; the linker sends that call here.  The
 * arguments, the environment and the auxiliary vector are copied to fixed
 * addresses and the machine stack is exchanged for one at a fixed address;
 * then libc goes on.  In a static executable neither libc nor the thread
 * pointer are up yet, so everything here is by raw system calls.
 *
 *   RECUT_ARGS_BASE: | argv[] NULL | envp[] NULL | auxv[] AT_NULL | strings ... |
 *
 * The strings keep the order and the neighbourhood that the kernel gave them,
 * but for the runtime's own variables, which go last.
 *
 * Rules for this file: no libc function, no thread-local, no errno.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/cut.h"
#include "runtime/raw.h"
#include "runtime/thread.h"
#include "runtime/title.h"

typedef int main_function(int, char **, char **);

int __real___libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __wrap___libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static size_t length_of(const char *string) {
    size_t n = 0;
    while (string[n])
        n++;
    return n;
}

/* Variables that steer the runtime differ from mode to mode. They go behind all
 * others, and room for them is kept where there are none, so that the rest of
 * the environment has the same addresses in every mode. */
enum { kept_entries = 8 };

static bool is_ours(const char *string) {
    static const char prefix[] = "RECUT_";
    for (size_t i = 0; i < sizeof prefix - 1; i++)
        if (string[i] != prefix[i])
            return false;
    return true;
}

struct copy {
    char **next; /* entry of the vector */
    char *text;
};

static void copy_string(struct copy *to, const char *from) {
    size_t n = length_of(from) + 1;
    *to->next++ = to->text;
    for (size_t k = 0; k < n; k++)
        *to->text++ = from[k];
}

static char **copy_arguments(int argc, char **argv) {
    char **envp = argv + argc + 1;
    size_t envc = 0, text = 0, auxc = 0;
    for (int i = 0; i < argc; i++)
        text += length_of(argv[i]) + 1;
    size_t ours = 0;
    for (; envp[envc]; envc++) {
        text += length_of(envp[envc]) + 1;
        ours += is_ours(envp[envc]);
    }
    Elf64_auxv_t *auxv = (Elf64_auxv_t *)(envp + envc + 1);
    while (auxv[auxc].a_type != AT_NULL)
        auxc++;
    size_t entries = (size_t)argc + 1 + envc + 1;
    size_t kept = ours < kept_entries ? kept_entries - ours : 0;
    size_t head = (entries + kept) * sizeof(char *) + (auxc + 1) * sizeof *auxv;
    size_t size = (head + text + 4095) & ~(size_t)4095;
    if (size > RECUT_ARGS_END - RECUT_ARGS_BASE || raw_map_at(RECUT_ARGS_BASE, size) != 0)
        return argv;
    struct copy to = {(char **)RECUT_ARGS_BASE, (char *)RECUT_ARGS_BASE + head};
    for (int i = 0; i < argc; i++)
        copy_string(&to, argv[i]);
    *to.next++ = NULL;
    char *arg_end = to.text;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < envc; i++)
            if (is_ours(envp[i]) == pass)
                copy_string(&to, envp[i]);
    *to.next++ = NULL;
    Elf64_auxv_t *new_auxv = (Elf64_auxv_t *)to.next;
    for (size_t i = 0; i <= auxc; i++)
        new_auxv[i] = auxv[i];
    __recut_title_move((char *)RECUT_ARGS_BASE + head, arg_end, to.text);
    return (char **)RECUT_ARGS_BASE;
}

main_function __recut_enter_main; /* main.S */
extern main_function *__recut_main_function;
main_function *__recut_main_function;

struct start {
    main_function *main;
    int argc;
    char **argv;
    void (*init)(void), (*fini)(void), (*rtld_fini)(void);
    void *stack_end;
};

/* Not in a register that the new stack would lose: passed on as an argument. */
static __attribute__((noreturn, used)) void go_on(struct start *start) {
    __real___libc_start_main(start->main, start->argc, start->argv, start->init, start->fini,
                             start->rtld_fini, start->stack_end);
    __builtin_trap();
}

/* Where a pointer into the first argument points in the copy. */
static char *move_name(char *name, char *from, char *to) {
    size_t offset = (size_t)(name - from);
    return offset <= length_of(from) ? to + offset : name;
}

int __wrap___libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    char **old_environ = argv + argc + 1;
    char **copied = copy_arguments(argc, argv);
    /* A dynamic libc already took the environment and the name over. */
    if (environ == old_environ)
        environ = copied + argc + 1;
    if (argc > 0) {
        program_invocation_name = move_name(program_invocation_name, argv[0], copied[0]);
        program_invocation_short_name =
            move_name(program_invocation_short_name, argv[0], copied[0]);
    }
    if (!__recut_main_function) /* the loader may have been at testing.c before */
        __recut_main_function = main;
    struct start start = {__recut_enter_main, argc, copied, init, fini, rtld_fini, stack_end};
    uint64_t size = __recut_stack_limit();
    if (__recut_cut_mode != CUT_OFF)
        size = cut_machine_stack(size);
    if (__recut_stack_main_machine(size, &__recut_main_machine)) {
        /* A return address of zero is where stack traces end. */
        __asm__ volatile("movq %0, %%rsp\n\t"
                         "xorl %%ebp, %%ebp\n\t"
                         "pushq $0\n\t"
                         "jmp *%1"
                         :
                         : "r"(__recut_main_machine.high), "r"(go_on), "D"(&start)
                         : "memory");
        __builtin_unreachable();
    }
    go_on(&start);
}
