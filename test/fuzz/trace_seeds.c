/* trace_seeds DIRECTORY: writes the corpus of trace_fuzz. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/trace_writer.h"
#include "trace/tar.h"

static const char *directory;
static unsigned serial;

static void put(unsigned char how, const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%03u", directory, serial++);
    FILE *file = fopen(path, "wb");
    if (!file || fputc(how, file) == EOF || fwrite(data, 1, size, file) != size ||
        fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* The events of a log: together, one at a time, and cut off. */
static void put_events(const struct made_log *log) {
    const struct chunk_header *chunk =
        (const struct chunk_header *)(log->file.data + STREAM_HEADER_SIZE);
    const uint8_t *events = (const uint8_t *)(chunk + 1);
    put(0, events, chunk->used);
    for (size_t cut = 1; cut < chunk->used; cut += 37)
        put(0, events, cut);
    put(1, chunk, log->file.size - STREAM_HEADER_SIZE);
    put(1, chunk, sizeof *chunk);
}

static void put_archive(const struct made_trace *made) {
    struct made_body tar = {0};
    static const char zeros[2 * TAR_BLOCK];
    static const char *const odd[] = {"../trace",
                                      "/etc/passwd",
                                      "lib/../../x",
                                      "log.99",
                                      "lib/a",
                                      "pid.7/log.0",
                                      "pid.7/exec/pid.8/exec/exec/process",
                                      "exec/../trace",
                                      "pid.7/pid.8/log.0"};
    for (size_t i = 0; i < made->part_count; i++) {
        struct tar_header header;
        size_t size = made->parts[i].bytes.size;
        tar_header_init(&header, made->parts[i].name, NULL, size, false);
        body_raw(&tar, &header, sizeof header);
        body_raw(&tar, made->parts[i].bytes.data, size);
        body_raw(&tar, zeros, tar_padding(size));
    }
    put(5, tar.data, tar.size);
    body_raw(&tar, zeros, sizeof zeros);
    put(5, tar.data, tar.size);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct tar_header headers[2];
        memset(headers, 0, sizeof headers);
        tar_header_init(&headers[0], odd[i], NULL, i == 3 ? TAR_MAX_FILE : 0, true);
        put(5, headers, sizeof headers);
    }
    struct tar_header linked[3];
    memset(linked, 0, sizeof linked);
    tar_header_init(&linked[0], "lib/a", NULL, 0, true);
    tar_header_init(&linked[1], "exec/lib/b", "lib/a", 0, true);
    put(5, linked, sizeof linked);
    put(5, &linked[1], 2 * sizeof *linked);
    body_deinit(&tar);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    directory = argv[1];
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", NULL, NULL);
    put(0, "", 0);
    put_events(&made.logs[0]);
    put_events(&made.logs[1]);
    put(2, made.logs[0].file.data, made.logs[0].file.size);
    put(3, made.header.data, made.header.size);
    put(3, made.header.data, made.header.size / 2);
    put(4, made.models.data, made.models.size);
    put(4, made.models.data, made.models.size / 2);
    put_archive(&made);
    made_trace_deinit(&made);
    return 0;
}
