/*
 * __recut_attach: gives the calling thread its data stack.
 *
 * Called with LLVM's preserve_all convention: every register but r11 keeps its
 * value, vector registers included, so that the usual path of the caller pays
 * nothing.  Runs once a thread.  Arguments travel in the legacy and AVX parts
 * of the state (XCR0 bits 0 to 7), which fit into 4 KiB; a processor without
 * XSAVE has only what FXSAVE keeps.
 */
    .text
    .globl  __recut_attach
    .hidden __recut_attach
    .type   __recut_attach, @function
    .balign 16
__recut_attach:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq   %rax
    pushq   %rbx
    pushq   %rcx
    pushq   %rdx
    pushq   %rsi
    pushq   %rdi
    pushq   %r8
    pushq   %r9
    pushq   %r10
    pushq   %r12
    subq    $4096, %rsp
    andq    $-64, %rsp
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
2:  call    __recut_attach_here
    testl   %r12d, %r12d
    je      3f
    movl    $0xff, %eax
    xorl    %edx, %edx
    xrstor64 (%rsp)
    jmp     4f
3:  fxrstor64 (%rsp)
4:  leaq    -80(%rbp), %rsp
    popq    %r12
    popq    %r10
    popq    %r9
    popq    %r8
    popq    %rdi
    popq    %rsi
    popq    %rdx
    popq    %rcx
    popq    %rbx
    popq    %rax
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   __recut_attach, . - __recut_attach

    .section .note.GNU-stack, "", @progbits
