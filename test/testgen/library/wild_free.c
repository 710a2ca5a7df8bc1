/* Frees what is no block at all, and goes on. */
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *text;
    int size;
};

static __attribute__((noinline)) void release(struct buffer *buffer) {
#ifdef FIXED
    if (buffer->size < 0)
        return;
#endif
    free(buffer->text);
    buffer->size = -1;
}

static __attribute__((noinline)) int all(struct buffer *buffers, int count) {
    for (int i = 0; i < count; i++)
        release(&buffers[i]);
    return buffers[0].size;
}

int main(void) {
    struct buffer *buffers = calloc(2, sizeof *buffers);
    buffers[0].text = strdup("a text");
    memset(&buffers[1], 0x2d, sizeof *buffers);
    memset(&buffers[1].size, 0xff, sizeof buffers[1].size);
    return all(buffers, 2) == 7;
}
