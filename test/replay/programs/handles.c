/* Looks into streams as gnulib does, through pointers that may be to something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct _IO_FILE own; /* a program may have one of its own */

static __attribute__((noinline)) long ahead(FILE *stream) {
    return stream->_IO_read_end - stream->_IO_read_ptr;
}

static __attribute__((noinline)) void forget_end(FILE *stream, long offset) {
    stream->_flags &= ~0x10;
    stream->_offset = offset;
}

int main(int argc, char **argv) {
    char line[100];
    FILE *file = fopen(argc > 1 ? argv[1] : "stdin", "r");
    if (!file)
        return 1;
    for (int i = 0; fgets(line, sizeof line, file); i++) {
        FILE *either = i % 3 == 2 ? &own : file;
        printf("%ld %ld %s", ahead(either), own._offset, line);
        forget_end(i % 4 == 3 ? &own : file, i);
    }
    printf("%d\n", feof(file) != 0);
    forget_end(file, 7);
    printf("%d\n", feof(file) != 0);
    return fclose(file);
}
