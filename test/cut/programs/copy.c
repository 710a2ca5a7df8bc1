/* Copies its input, looks at the first byte of each piece, and counts. */
#include <stdio.h>
#include <unistd.h>

static char head[16], payload[65536];

int main(void) {
    size_t pieces = 0, bytes = 0, marks = 0;
    ssize_t n;
    while (read(0, head, sizeof head) == sizeof head &&
           (n = read(0, payload, sizeof payload)) > 0) {
        marks += head[0] == '#';
        bytes += (size_t)n;
        pieces++;
        if (write(1, payload, (size_t)n) != n)
            return 1;
    }
    fprintf(stderr, "%zu pieces, %zu bytes, %zu marks\n", pieces, bytes, marks);
}
