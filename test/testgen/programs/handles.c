/* A struct of functions, a union, an opaque handle, and a list without an end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream; /* opaque to whoever uses it */
struct operations {
    int (*take)(struct stream *, int);
    void (*close)(struct stream *);
};
struct value {
    enum { NUMBER, TEXT, LIST } kind;
    union {
        long number;
        const char *text;
        struct value *list;
    };
};
struct stream {
    const struct operations *operations;
    struct value last;
    struct stream *next;
    char buffer[16];
};

static __attribute__((noinline)) int take(struct stream *stream, int by) {
    stream->last.kind = LIST;
#ifdef FIXED
    if (!stream->last.list)
        return by;
#endif
    return stream->last.list->kind + by;
}
static void close_stream(struct stream *stream) { free(stream); }
static const struct operations operations = {take, close_stream};

static __attribute__((noinline)) void *open_stream(const char *name) {
    struct stream *stream = calloc(1, sizeof *stream);
    stream->operations = &operations;
    stream->next = stream;
    strncpy(stream->buffer, name, sizeof stream->buffer - 1);
    return stream;
}

static __attribute__((noinline)) int use(void *handle, int by) {
    struct stream *stream = handle;
    return stream->operations->take(stream->next, by) + 1;
}

int main(void) {
    void *handle = open_stream("input");
    printf("%d\n", use(handle, 3));
    return 0;
}
