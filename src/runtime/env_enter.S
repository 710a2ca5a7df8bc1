/*
 * The way from a stub to the runtime, and from the runtime to the real
 * function: registers go to and come from struct env_frame (env.h), whatever
 * the type of the function is.
 */
    .set    FRAME_INTEGERS, 0
    .set    FRAME_VECTOR_COUNT, 48
    .set    FRAME_VECTORS, 64
    .set    FRAME_RAX, 192
    .set    FRAME_RDX, 200
    .set    FRAME_XMM0, 208
    .set    FRAME_XMM1, 224
    .set    FRAME_ST0, 240
    .set    FRAME_INDEX, 256
    .set    FRAME_RETURN, 264
    .set    FRAME_STACK, 272
    .set    FRAME_X87, 280
    .set    FRAME_SIZE, 288

/* All arguments in registers, from a frame. */
    .macro  load_arguments frame
    movq    FRAME_INTEGERS(\frame), %rdi
    movq    FRAME_INTEGERS+8(\frame), %rsi
    movq    FRAME_INTEGERS+16(\frame), %rdx
    movq    FRAME_INTEGERS+24(\frame), %rcx
    movq    FRAME_INTEGERS+32(\frame), %r8
    movq    FRAME_INTEGERS+40(\frame), %r9
    movaps  FRAME_VECTORS(\frame), %xmm0
    movaps  FRAME_VECTORS+16(\frame), %xmm1
    movaps  FRAME_VECTORS+32(\frame), %xmm2
    movaps  FRAME_VECTORS+48(\frame), %xmm3
    movaps  FRAME_VECTORS+64(\frame), %xmm4
    movaps  FRAME_VECTORS+80(\frame), %xmm5
    movaps  FRAME_VECTORS+96(\frame), %xmm6
    movaps  FRAME_VECTORS+112(\frame), %xmm7
    movq    FRAME_VECTOR_COUNT(\frame), %rax
    .endm

    .text
/* What a call goes through that is looked at: its number is on top of the stack. */
    .macro  entering name, arrive
    .globl  \name
    .hidden \name
    .type   \name, @function
    .balign 16
\name:
    .cfi_startproc
    .cfi_def_cfa_offset 16
    pushq   %rbp
    .cfi_def_cfa_offset 24
    .cfi_offset %rbp, -24
    movq    %rsp, %rbp
    .cfi_def_cfa %rbp, 24
    subq    $(FRAME_SIZE + 8), %rsp
    andq    $-16, %rsp                  /* a broken program may come with any */
    movq    %rdi, FRAME_INTEGERS(%rsp)
    movq    %rsi, FRAME_INTEGERS+8(%rsp)
    movq    %rdx, FRAME_INTEGERS+16(%rsp)
    movq    %rcx, FRAME_INTEGERS+24(%rsp)
    movq    %r8, FRAME_INTEGERS+32(%rsp)
    movq    %r9, FRAME_INTEGERS+40(%rsp)
    movq    %rax, FRAME_VECTOR_COUNT(%rsp)
    movaps  %xmm0, FRAME_VECTORS(%rsp)
    movaps  %xmm1, FRAME_VECTORS+16(%rsp)
    movaps  %xmm2, FRAME_VECTORS+32(%rsp)
    movaps  %xmm3, FRAME_VECTORS+48(%rsp)
    movaps  %xmm4, FRAME_VECTORS+64(%rsp)
    movaps  %xmm5, FRAME_VECTORS+80(%rsp)
    movaps  %xmm6, FRAME_VECTORS+96(%rsp)
    movaps  %xmm7, FRAME_VECTORS+112(%rsp)
    movq    8(%rbp), %rax
    movq    %rax, FRAME_INDEX(%rsp)
    movq    16(%rbp), %rax
    movq    %rax, FRAME_RETURN(%rsp)
    leaq    24(%rbp), %rax
    movq    %rax, FRAME_STACK(%rsp)
    movq    $0, FRAME_X87(%rsp)
    movq    %rsp, %rdi
    call    \arrive
    testq   %rax, %rax
    jne     2f
    movq    FRAME_RAX(%rsp), %rax
    movq    FRAME_RDX(%rsp), %rdx
    movaps  FRAME_XMM0(%rsp), %xmm0
    movaps  FRAME_XMM1(%rsp), %xmm1
    cmpq    $0, FRAME_X87(%rsp)
    je      1f
    fldt    FRAME_ST0(%rsp)
1:  leave
    .cfi_def_cfa %rsp, 16
    leaq    8(%rsp), %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_def_cfa %rbp, 24
2:  movq    %rax, %r11                  /* a function that is entered as it was called */
    load_arguments %rsp
    leave
    .cfi_def_cfa %rsp, 16
    leaq    8(%rsp), %rsp
    .cfi_def_cfa_offset 8
    jmp     *%r11
    .cfi_endproc
    .size   \name, . - \name
    .endm

    entering __recut_env_enter, __recut_env_arrive     /* env.c */
    entering __recut_cut_in, __recut_cut_in_here       /* cut.c */
    entering __recut_cut_out, __recut_cut_out_here
    entering __recut_cut_watch, __recut_cut_watch_here /* cut_record.c */

/*
 * Addresses that functions return to instead of their callers: \left is called with what
 * they return, in rdi and xmm0, and says where to go on.
 */
    .macro  returning name, left
    .globl  \name
    .hidden \name
    .type   \name, @function
    .balign 16
    nop                                 /* who unwinds a stack finds nothing here, and ends */
\name:
    subq    $56, %rsp
    movq    %rax, (%rsp)
    movq    %rdx, 8(%rsp)
    movups  %xmm0, 16(%rsp)
    movups  %xmm1, 32(%rsp)
    movq    %rax, %rdi
    movq    %rdx, %rsi
    subq    $8, %rsp
    call    \left
    addq    $8, %rsp
    movq    %rax, 48(%rsp)
    movq    (%rsp), %rax
    movq    8(%rsp), %rdx
    movups  16(%rsp), %xmm0
    movups  32(%rsp), %xmm1
    addq    $48, %rsp
    ret
    .size   \name, . - \name
    .endm

    returning __recut_section_guarded_return, __recut_section_left /* section.c */
    returning __recut_callback_return, __recut_callback_left       /* env_callback.c */

/* void __recut_env_invoke(struct env_frame *, void *function, size_t stack_bytes) */
    .globl  __recut_env_invoke
    .hidden __recut_env_invoke
    .type   __recut_env_invoke, @function
    .balign 16
__recut_env_invoke:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq   %rbx
    .cfi_offset %rbx, -24
    pushq   %r12
    .cfi_offset %r12, -32
    movq    %rdi, %rbx
    movq    %rsi, %r12
    subq    %rdx, %rsp
    movq    %rdx, %rcx
    shrq    $3, %rcx
    je      1f
    movq    FRAME_STACK(%rbx), %rsi
    movq    %rsp, %rdi
    rep movsq
1:  load_arguments %rbx
    call    *%r12
    .globl  __recut_env_invoked
    .hidden __recut_env_invoked
__recut_env_invoked:
    movq    %rax, FRAME_RAX(%rbx)
    movq    %rdx, FRAME_RDX(%rbx)
    movaps  %xmm0, FRAME_XMM0(%rbx)
    movaps  %xmm1, FRAME_XMM1(%rbx)
    cmpq    $0, FRAME_X87(%rbx)
    je      2f
    fstpt   FRAME_ST0(%rbx)
2:  leaq    -16(%rbp), %rsp
    popq    %r12
    popq    %rbx
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   __recut_env_invoke, . - __recut_env_invoke

    .section .note.GNU-stack, "", @progbits
