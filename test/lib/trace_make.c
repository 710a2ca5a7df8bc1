/*
 * trace_make KIND DIR PROGRAM [ADDRESS ADDRESS ADDRESS]
 *
 * Writes a made trace of PROGRAM into DIR, for tests of commands.  KIND:
 *
 *   sample    every kind of event (trace_sample.c); ADDRESSes are the returns of
 *             calls of open, read and write
 *   exit      one call and exit 0        killed   one call and nothing more
 *   lost      one call, then the disk was full
 *   many      100000 calls of read in several chunks
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/embedded.h"
#include "trace_writer.h"

static void make_plain(struct made_trace *made, const char *kind, const char *program,
                       const uint8_t id[BUILD_ID_SIZE]) {
    made_trace_init(made, program, id);
    struct made_log *log = made_trace_log(made, 0);
    struct made_body body = {0};
    bool is_many = strcmp(kind, "many") == 0;
    log->capacity = CHUNK_CAPACITY;
    uint32_t site = made_log_site(log, 0x10001000, is_many ? "read" : "srand");
    for (int i = 0; i < (is_many ? 100000 : 1); i++) {
        body_varint(&body, site), body_svarint(&body, 7);
        if (is_many) {
            body_svarint(&body, 100), body_svarint(&body, 8);
            body_varint(&body, 1), body_varint(&body, 1), body_bytes(&body, "some\n\1\2\3", 8);
        } else {
            body_varint(&body, 0);
        }
        made_log_event(log, EVENT_CALL, &body);
    }
    if (strcmp(kind, "exit") == 0) {
        body_varint(&body, 0), body_u64(&body, 0);
        made_log_event(log, EVENT_EXIT, &body);
        made_log_seal(log);
    } else if (strcmp(kind, "lost") == 0) {
        body_bytes(&body, "No space left on device", 23);
        made_log_event(log, EVENT_LOST, &body);
    }
    made_trace_finish(made);
    body_deinit(&body);
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 7)
        return 2;
    uint8_t id[BUILD_ID_SIZE] = {0};
    uint64_t addresses[3] = {0};
    for (int i = 4; i < argc; i++)
        addresses[i - 4] = strtoull(argv[i], NULL, 16);
    struct error *err = embedded_build_id(argv[3], id);
    error_free(err); /* any build will do */
    struct made_trace made;
    if (strcmp(argv[1], "sample") == 0)
        made_trace_sample(&made, argv[3], id, argc == 7 ? addresses : NULL);
    else
        make_plain(&made, argv[1], argv[3], id);
    err = made_trace_write(&made, argv[2]);
    if (err)
        fprintf(stderr, "trace_make: %s\n", err->message);
    made_trace_deinit(&made);
    return err ? 1 : 0;
}
