/* A trace with every kind of event and of value in it; see trace_writer.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "trace_writer.h"

static void call_read(struct made_log *log, uint32_t site, const char *data) {
    struct made_body body = {0};
    body_varint(&body, site);
    body_svarint(&body, 3);
    body_svarint(&body, 4096);
    body_svarint(&body, (int64_t)strlen(data));
    body_varint(&body, 1);
    body_varint(&body, 1);
    body_bytes(&body, data, strlen(data));
    made_log_event(log, EVENT_CALL, &body);
    body_deinit(&body);
}

static void call_open(struct made_log *log, uint32_t site, const char *path, int flags, int error) {
    struct made_body body = {0};
    body_varint(&body, site);
    body_string(&body, path);
    body_svarint(&body, flags);
    body_svarint(&body, error ? -1 : 3);
    if (error)
        body_svarint(&body, error);
    body_varint(&body, 0);
    made_log_event(log, EVENT_CALL | (error ? EVENT_ERRNO : 0), &body);
    body_deinit(&body);
}

/* Numbers and other values, one call of each function. */
static void call_values(struct made_log *log) {
    static const uint8_t quad[16] = {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f}; /* 1.0 */
    double root = 1.5;
    float power = 0.25f;
    uint64_t bits = 0;
    struct made_body body = {0};
    body_varint(&body, made_log_site(log, 0x10001100, "div"));
    body_svarint(&body, -7), body_svarint(&body, 2);
    body_svarint(&body, -3), body_svarint(&body, -1);
    body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001110, "sqrt"));
    memcpy(&bits, &root, 8);
    body_u64(&body, bits), body_u64(&body, bits), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001120, "powf"));
    bits = 0;
    memcpy(&bits, &power, 4);
    body_u64(&body, bits), body_u64(&body, bits), body_u64(&body, bits), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001130, "sqrtl"));
    body_raw(&body, quad, 16), body_raw(&body, quad, 16), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001140, "localtime"));
    body_u32(&body, 0xabcdef01), body_varint(&body, 58), body_bytes(&body, (char[56]){"tm"}, 56);
    body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001150, "srand"));
    body_svarint(&body, UINT32_MAX), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);
    body_deinit(&body);
}

static void call_strings(struct made_log *log) {
    struct made_body body = {0};
    uint32_t getenv_site = made_log_site(log, 0x10001200, "getenv");
    body_varint(&body, getenv_site);
    body_string(&body, "HOME"), body_packed(&body, "/nowhere"), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);
    body_varint(&body, getenv_site);
    body_string(&body, "ABSENT"), body_string(&body, NULL), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);

    body_varint(&body, made_log_site(log, 0x10001210, "execv"));
    body_string(&body, "/bin/no"), body_varint(&body, 3);
    body_bytes(&body, "no", 2), body_bytes(&body, "a \"b\"\n", 6);
    body_svarint(&body, -1), body_svarint(&body, ENOENT), body_varint(&body, 0);
    made_log_event(log, EVENT_CALL | EVENT_ERRNO, &body);

    body_varint(&body, made_log_site(log, 0x10001220, "fopen"));
    body_string(&body, "list"), body_string(&body, "r"), body_svarint(&body, 0x7f0000001000);
    body_varint(&body, 2);
    body_varint(&body, OUTPUT_BUFFER), body_bytes(&body, "first line\n", 11);
    body_varint(&body, OUTPUT_OBJECT), body_bytes(&body, "\1\2\3", 3);
    made_log_event(log, EVENT_CALL, &body);
    body_deinit(&body);
}

/* A call into the program, from one that has no model. */
static void call_back(struct made_log *log) {
    struct made_body body = {0};
    uint32_t site = made_log_site(log, 0x10001300, "walk_tree");
    body_varint(&body, 0x10001000);
    body_varint(&body, 2), body_u64(&body, 5), body_u64(&body, UINT64_MAX);
    body_varint(&body, 1), body_u64(&body, 0x3ff0000000000000);
    made_log_event_after(log, EVENT_ENTER | EVENT_SKIPPED, 3, 0x5eed, &body);
    body_raw(&body, "loaded", 6);
    made_log_event(log, EVENT_LOAD, &body); /* with a size; short ones are in every recording */
    body_u64(&body, 1), body_u64(&body, 0);
    made_log_event_after(log, EVENT_LEAVE | EVENT_SKIPPED, 2, 0x5eee, &body);
    body_varint(&body, site);
    body_svarint(&body, -1), body_svarint(&body, 0x1234);
    body_u64(&body, 0x4000000000000000), body_u64(&body, 0);
    body_varint(&body, 0);
    made_log_event(log, EVENT_CALL, &body);
    body_deinit(&body);
}

static void end_run(struct made_log *log, uint32_t write_site) {
    struct made_body body = {0};
    body_varint(&body, write_site);
    body_svarint(&body, 1), body_u32(&body, 0xfeedf00d), body_svarint(&body, 12);
    body_svarint(&body, 12), body_varint(&body, 0);
    made_log_event_after(log, EVENT_CALL | EVENT_SKIPPED, 4096, 0x1234, &body);
    body_varint(&body, log->calls), body_u64(&body, 0x0123456789abcdef);
    made_log_event(log, EVENT_HASH, &body);
    body_varint(&body, 3), body_u64(&body, 0);
    made_log_event_after(log, EVENT_EXIT | EVENT_SKIPPED, 1, 0x77, &body);
    body_deinit(&body);
}

/* A thread that dies, and its log without a checksum. */
static void crash_thread(struct made_log *log) {
    struct made_body body = {0};
    struct crash_event crash = {
        .signal = SIGSEGV, .code = 1, .address = 0x10, .pc = 0x10001010, .sp = 0x18000000000};
    body_varint(&body, 17), body_varint(&body, 300);
    made_log_event(log, EVENT_ORDER, &body);
    body_varint(&body, 0), body_varint(&body, 1);
    made_log_event(log, EVENT_ORDER | EVENT_OUTSIDE, &body);
    call_read(log, made_log_site(log, 0x10001400, "read"), "");
    body_raw(&body, &crash, sizeof crash);
    body_bytes(&body, "\x20\x10\0\x10\0\0\0\0", 8);
    body_bytes(&body, "10000000-10010000 r-xp 00000000 00:00 1 /bin/prog\n", 49);
    made_log_event(log, EVENT_CRASH, &body);
    body_deinit(&body);
}

void made_trace_sample(struct made_trace *made, const char *program,
                       const uint8_t build_id[BUILD_ID_SIZE], const uint64_t *addresses) {
    static const uint64_t usual[] = {0x10001010, 0x10001020, 0x10001030};
    if (!addresses)
        addresses = usual;
    made_trace_init(made, program, build_id);
    struct made_log *log = made_trace_log(made, 0);
    struct made_body body = {0};
    body_varint(&body, 2);
    body_varint(&body, 0x10004000), body_bytes(&body, "\1\0\0\0", 4);
    body_varint(&body, 0x10004010), body_bytes(&body, "", 0);
    made_log_event(log, EVENT_START, &body);
    body_deinit(&body);
    uint32_t open_site = made_log_site(log, addresses[0], "open");
    call_open(log, open_site, "absent", O_RDONLY | O_CLOEXEC, ENOENT);
    call_open(log, open_site, "page.txt", O_RDWR | O_CREAT | O_TRUNC, 0);
    uint32_t read_site = made_log_site(log, addresses[1], "read");
    call_read(log, read_site, "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n");
    call_read(log, read_site, "");
    call_values(log);
    call_strings(log);
    call_back(log);
    end_run(log, made_log_site(log, addresses[2], "write"));
    made_log_seal(log);
    crash_thread(made_trace_log(made, 1));
    made_trace_finish(made);
}
