/*
 * Called by code of the serial variant in the middle of anything: nothing changes but the
 * flags.  (src/instrument/ticks.c)
 */
#include "format/ticks.h"

    .macro  entry name, weight
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
    pushq   %rcx
    pushq   %rdx
    pushq   %rsi
    pushq   %rdi
    pushq   %r8
    pushq   %r9
    pushq   %r10
    pushq   %r11
    pushq   %rbx
    movq    %rsp, %rbx
    .cfi_offset %rbx, -96
    movq    __recut_tick_area(%rip), %rax
    subq    %rax, %rsp
    andq    $-64, %rsp
    movl    __recut_tick_state(%rip), %eax
    testl   %eax, %eax
    je      1f
    xorl    %edx, %edx
    movq    %rdx, 512(%rsp)             /* the header of the area has to be clear */
    movq    %rdx, 520(%rsp)
    movq    %rdx, 528(%rsp)
    movq    %rdx, 536(%rsp)
    movq    %rdx, 544(%rsp)
    movq    %rdx, 552(%rsp)
    movq    %rdx, 560(%rsp)
    movq    %rdx, 568(%rsp)
    xsave   (%rsp)
    jmp     2f
1:  fxsave  (%rsp)
2:  movq    8(%rbp), %rdi
    movl    $\weight, %esi
    call    __recut_ticked
    movl    __recut_tick_state(%rip), %eax
    testl   %eax, %eax
    je      3f
    xorl    %edx, %edx
    xrstor  (%rsp)
    jmp     4f
3:  fxrstor (%rsp)
4:  movq    %rbx, %rsp
    popq    %rbx
    popq    %r11
    popq    %r10
    popq    %r9
    popq    %r8
    popq    %rdi
    popq    %rsi
    popq    %rdx
    popq    %rcx
    popq    %rax
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   \name, . - \name
    .endm

    .text
    entry   __recut_tick, 1
    entry   __recut_tick_loop, TICKS_OF_LOOP
    .section .note.GNU-stack,"",@progbits
