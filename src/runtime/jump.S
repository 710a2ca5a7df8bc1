/*
 * setjmp and longjmp for runs that are recorded or replayed.
 *
 * libc's hide what they keep behind a number that is different in every
 * process.  These do not, so that a jmp_buf, which is memory of the program,
 * holds the same in both runs.  They stay when a recording ends, for the buffers that are filled.
 * The layout is libc's; the kept signal mask is at 72.
 */
    .set    BUF_RBX, 0
    .set    BUF_RBP, 8
    .set    BUF_R12, 16
    .set    BUF_R13, 24
    .set    BUF_R14, 32
    .set    BUF_R15, 40
    .set    BUF_RSP, 48
    .set    BUF_RIP, 56
    .set    BUF_HAS_MASK, 64
    .set    BUF_MASK, 72

    .macro  begin name
    .globl  \name
    .hidden \name
    .type   \name, @function
    .balign 16
\name:
    .cfi_startproc
    .endm
    .macro  finish name
    .cfi_endproc
    .size   \name, . - \name
    .endm

    .text
    begin   __recut_special__setjmp
    xorl    %esi, %esi
    jmp     __recut_special___sigsetjmp
    finish  __recut_special__setjmp

    begin   __recut_special_setjmp
    movl    $1, %esi
    jmp     __recut_special___sigsetjmp
    finish  __recut_special_setjmp

    begin   __recut_special___sigsetjmp
    movq    %rbx, BUF_RBX(%rdi)
    movq    %rbp, BUF_RBP(%rdi)
    movq    %r12, BUF_R12(%rdi)
    movq    %r13, BUF_R13(%rdi)
    movq    %r14, BUF_R14(%rdi)
    movq    %r15, BUF_R15(%rdi)
    leaq    8(%rsp), %rax
    movq    %rax, BUF_RSP(%rdi)
    movq    (%rsp), %rax
    movq    %rax, BUF_RIP(%rdi)
    movl    $0, BUF_HAS_MASK(%rdi)
    testl   %esi, %esi
    je      1f
    movl    $1, BUF_HAS_MASK(%rdi)
    leaq    BUF_MASK(%rdi), %rdx        /* rt_sigprocmask(SIG_BLOCK, NULL, mask, 8) */
    xorl    %edi, %edi
    xorl    %esi, %esi
    movl    $8, %r10d
    movl    $14, %eax
    syscall
1:  xorl    %eax, %eax
    ret
    finish  __recut_special___sigsetjmp

/* void __recut_jump(buffer, value): all that is left of longjmp (jump.c). */
    begin   __recut_jump
    movq    %rdi, %r9
    movl    %esi, %r8d
    cmpl    $0, BUF_HAS_MASK(%r9)
    je      1f
    movl    $2, %edi                    /* rt_sigprocmask(SIG_SETMASK, mask, NULL, 8) */
    leaq    BUF_MASK(%r9), %rsi
    xorl    %edx, %edx
    movl    $8, %r10d
    movl    $14, %eax
    syscall
1:  movl    %r8d, %eax
    testl   %eax, %eax
    jne     2f
    incl    %eax
2:  movq    BUF_RBX(%r9), %rbx
    movq    BUF_RBP(%r9), %rbp
    movq    BUF_R12(%r9), %r12
    movq    BUF_R13(%r9), %r13
    movq    BUF_R14(%r9), %r14
    movq    BUF_R15(%r9), %r15
    movq    BUF_RSP(%r9), %rsp
    jmp     *BUF_RIP(%r9)
    finish  __recut_jump

/* Where libc goes on that cancels a thread: to a frame that cleans up (cleanup.c). */
    begin   __recut_cleanup_land
    andq    $-16, %rsp
    call    __recut_cleanup_landed
    finish  __recut_cleanup_land

    .section .note.GNU-stack, "", @progbits
