/*
 * Traces made by hand, for tests of what reads them.  Written from the text of
 * format/log.h and not from the runtime, so that the two check each other.
 *
 *     struct made_trace made;
 *     made_trace_init(&made, "/bin/prog", build_id);
 *     struct made_log *log = made_trace_log(&made, 0);
 *     struct made_body body = {0};
 *     body_varint(&body, ...);
 *     made_log_event(log, EVENT_CALL | EVENT_ERRNO, &body);   empties the body
 *     made_trace_finish(&made);          now made.parts is what trace_from_parts() wants
 *     made_trace_deinit(&made);
 *
 * Memory is aligned for any type; running out of it ends the test.
 */
#ifndef RECUT_TEST_TRACE_WRITER_H
#define RECUT_TEST_TRACE_WRITER_H

#include "trace/trace.h"

struct made_body {
    uint8_t *data;
    size_t size, capacity;
};

void body_raw(struct made_body *body, const void *data, size_t size);
void body_varint(struct made_body *body, uint64_t value);
void body_svarint(struct made_body *body, int64_t value);
void body_u32(struct made_body *body, uint32_t value);
void body_u64(struct made_body *body, uint64_t value);
void body_bytes(struct made_body *body, const void *data, size_t size);
void body_string(struct made_body *body, const char *string); /* 1 + length, NULL is 0 */
void body_packed(struct made_body *body, const char *string); /* as a result is */
void body_deinit(struct made_body *body);

struct made_log {
    uint32_t slot;
    struct made_body file;
    size_t chunk; /* offset of the present one, 0 if there is none */
    uint64_t calls;
    uint32_t sites;
    uint32_t capacity; /* of the next chunk */
};

enum { MADE_LOGS = 4 };

struct made_trace {
    struct trace_info info;
    struct made_body header, models;
    struct made_log logs[MADE_LOGS];
    size_t log_count;
    struct trace_part parts[2 + MADE_LOGS];
    char names[MADE_LOGS][16];
    size_t part_count;
};

/* Arguments and environment may be changed until it is finished. */
void made_trace_init(struct made_trace *made, const char *program,
                     const uint8_t build_id[BUILD_ID_SIZE]);
void made_trace_deinit(struct made_trace *made);
struct made_log *made_trace_log(struct made_trace *made, uint32_t slot);
void made_trace_finish(struct made_trace *made);
/* Writes the parts to a directory that is there. */
struct error *made_trace_write(const struct made_trace *made, const char *directory);

/* Adds an event, in a new chunk if it does not fit.  The body is empty after it. */
void made_log_event(struct made_log *log, unsigned head, struct made_body *body);
void made_log_event_after(struct made_log *log, unsigned head, uint64_t skipped, uint32_t path,
                          struct made_body *body);
/* Gives the present chunk its checksum; the next event begins another. */
void made_log_seal(struct made_log *log);
uint32_t made_log_site(struct made_log *log, uint64_t address, const char *name);

/* The models of the functions that made traces call. */
void made_models(struct made_body *ret);

/* A trace with every kind of event and of value in it; `addresses` (NULL, or
 * three) are where calls return to.  Finished. */
void made_trace_sample(struct made_trace *made, const char *program,
                       const uint8_t build_id[BUILD_ID_SIZE], const uint64_t *addresses);

/* Puts right what a change of the parts made wrong: checksums and sizes. */
void made_repair(uint8_t *header, size_t header_size, uint8_t *models, size_t models_size,
                 uint8_t *log, size_t log_size);

#endif
