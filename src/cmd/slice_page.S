/*
 * The parts of the page that `recut slice --format html` makes, each with a NUL behind it.
 * Files are looked for from the folder that make runs in.
 */
    .macro  text name, file
    .globl  \name
    .hidden \name
    .type   \name, @object
\name:
    .incbin "\file"
    .byte   0
    .size   \name, . - \name
    .endm

    .section .rodata
    text    slice_page_html, src/cmd/slice_page.html
    text    slice_page_css, src/cmd/slice_page.css
    text    slice_page_js, src/cmd/slice_page.js

    .section .note.GNU-stack, "", @progbits
