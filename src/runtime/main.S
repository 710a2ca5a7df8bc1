/*
 * The way into main(): with registers that hold nothing of libc's.
 *
 * A function that does not use a register keeps what its callers had in it, and
 * setjmp() puts it into memory of the program.  libc's start leaves addresses of
 * its own there, which are different in every process.
 */
    .text
    .globl  __recut_enter_main
    .hidden __recut_enter_main
    .type   __recut_enter_main, @function
    .balign 16
__recut_enter_main:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    pushq   %rbx
    .cfi_def_cfa_offset 24
    .cfi_offset %rbx, -24
    pushq   %r12
    .cfi_def_cfa_offset 32
    .cfi_offset %r12, -32
    pushq   %r13
    .cfi_def_cfa_offset 40
    .cfi_offset %r13, -40
    pushq   %r14
    .cfi_def_cfa_offset 48
    .cfi_offset %r14, -48
    pushq   %r15
    .cfi_def_cfa_offset 56
    .cfi_offset %r15, -56
    subq    $8, %rsp
    .cfi_def_cfa_offset 64
    xorl    %ebx, %ebx
    xorl    %ebp, %ebp
    xorl    %r12d, %r12d
    xorl    %r13d, %r13d
    xorl    %r14d, %r14d
    xorl    %r15d, %r15d
    call    *__recut_main_function(%rip)
    addq    $8, %rsp
    .cfi_def_cfa_offset 56
    popq    %r15
    .cfi_def_cfa_offset 48
    popq    %r14
    .cfi_def_cfa_offset 40
    popq    %r13
    .cfi_def_cfa_offset 32
    popq    %r12
    .cfi_def_cfa_offset 24
    popq    %rbx
    .cfi_def_cfa_offset 16
    popq    %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size   __recut_enter_main, . - __recut_enter_main

    .section .note.GNU-stack, "", @progbits
