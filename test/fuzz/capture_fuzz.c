/*
 * What a failed run left, damaged: whatever capture_read() takes can be asked for anything.
 *
 * Hashes are set right first: they keep accidents away, and would keep the fuzzer away, too.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "format/layout.h"
#include "testgen/capture.h"

static void set_hashes(uint8_t *data, size_t size) {
    for (size_t at = 0; size - at >= sizeof(struct capture_record);) {
        struct capture_record record;
        memcpy(&record, data + at, sizeof record);
        if (record.size > size - at - sizeof record)
            return;
        record.magic = CAPTURE_MAGIC;
        record.hash = XXH3_64bits(data + at + sizeof record, record.size);
        memcpy(data + at, &record, sizeof record);
        at += sizeof record + ((record.size + 7) & ~7ULL);
        if (at > size)
            return;
    }
}

static void ask(const struct capture *capture) {
    uint8_t bytes[256];
    struct capture_call call;
    for (size_t i = 0; i < capture->states.count; i++) {
        const struct capture_state *state = &capture->states.data[i];
        for (size_t k = 0; k < state->memory.count; k++)
            capture_get(state, state->memory.data[k].address - 8, bytes, sizeof bytes);
        capture_get(state, RECUT_ARGS_BASE, bytes, sizeof bytes);
    }
    for (size_t i = 0; i < capture->shadow.count; i++)
        for (uint64_t slot = 0; slot < 512; slot += 8)
            capture_call_at(capture, capture->shadow.data[i].address / SHADOW_SCALE + slot, &call);
    if (capture->program)
        (void)strlen(capture->program->path);
    if (capture->failure)
        (void)strlen(capture->failure);
    if (capture->choices)
        (void)strlen(capture->choices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("capture", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, data, size);
    set_hashes(copy, size);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, copy, size, 0) != (ssize_t)size)
        abort();
    free(copy);
    capture_is_file(path);
    struct capture capture;
    struct error *err = capture_read(path, &capture);
    if (!err)
        ask(&capture);
    capture_deinit(&capture);
    error_free(err);
    return 0;
}
