/*
 * __recut_attach: gives the calling thread its data stack, or notes a call by the
 *     environment; gets the function and where its return address is.
 * __recut_profile_attach: gives it a row of counters.
 *
 * Called with LLVM's preserve_all convention: every register but r11 keeps its
 * value, vector registers included, so that the usual path of the caller pays
 * nothing.  Each runs once a thread.  Arguments travel in the legacy and AVX
 * parts of the state (XCR0 bits 0 to 7), which fit into 4 KiB; a processor
 * without XSAVE has only what FXSAVE keeps.
 */
    .macro  preserving name, work
    .globl  \name
    .hidden \name
    .type   \name, @function
    .balign 16
\name:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq   %rax
    leaq    \work(%rip), %rax
    call    call_preserving
    popq    %rax
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   \name, . - \name
    .endm

    .text
    preserving __recut_attach, __recut_attach_here
    preserving __recut_profile_attach, __recut_profile_attach_here

/* Calls the function in rax and keeps everything but rax and r11. */
    .type   call_preserving, @function
    .balign 16
call_preserving:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq   %rbx
    pushq   %rcx
    pushq   %rdx
    pushq   %rsi
    pushq   %rdi
    pushq   %r8
    pushq   %r9
    pushq   %r10
    pushq   %r12
    pushq   %r13
    subq    $4096, %rsp
    andq    $-64, %rsp
    movq    %rax, %r13
    movl    $1, %eax
    xorl    %ecx, %ecx
    cpuid
    movl    %ecx, %r12d
    andl    $0x08000000, %r12d          /* OSXSAVE */
    je      1f
    leaq    512(%rsp), %rdi             /* its header must be zero */
    xorl    %eax, %eax
    movl    $8, %ecx
    rep stosq
    movl    $0xff, %eax
    xorl    %edx, %edx
    xsave64 (%rsp)
    jmp     2f
1:  fxsave64 (%rsp)
2:  movq    -40(%rbp), %rdi             /* as they came */
    movq    -32(%rbp), %rsi
    call    *%r13
    testl   %r12d, %r12d
    je      3f
    movl    $0xff, %eax
    xorl    %edx, %edx
    xrstor64 (%rsp)
    jmp     4f
3:  fxrstor64 (%rsp)
4:  leaq    -80(%rbp), %rsp
    popq    %r13
    popq    %r12
    popq    %r10
    popq    %r9
    popq    %r8
    popq    %rdi
    popq    %rsi
    popq    %rdx
    popq    %rcx
    popq    %rbx
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   call_preserving, . - call_preserving

    .section .note.GNU-stack, "", @progbits
