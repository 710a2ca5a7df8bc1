/*
 * The reader of traces: what a trace made by hand says, and what is said of
 * each way in which one can be wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/trace_writer.h"
#include "base/io.h"
#include "base/mem.h"
#include "trace/archive.h"
#include "trace/directory.h"
#include "trace/header.h"
#include "trace/pack.h"

static const uint8_t build_id[BUILD_ID_SIZE] = "0123456789abcde";

static struct trace *open_made(const struct made_trace *made) {
    struct trace *trace = NULL;
    struct error *err = trace_from_parts(made->parts, made->part_count, &trace);
    if (err)
        fail_msg("%s", err->message);
    return trace;
}

/* The n-th event of a kind in a stream; the cursor is the caller's to free. */
static const struct trace_event *find(const struct trace *trace, size_t stream,
                                      enum event_kind kind, unsigned n,
                                      struct trace_cursor **ret_cursor) {
    *ret_cursor = trace_cursor_new(trace, stream);
    const struct trace_event *event;
    for (;;) {
        struct error *err = trace_next(*ret_cursor, &event);
        if (err)
            fail_msg("%s", err->message);
        if (!event)
            return NULL;
        if (event->kind == kind && n-- == 0)
            return event;
    }
}

static void test_header(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", build_id, NULL);
    struct trace *trace = open_made(&made);
    const struct trace_info *info = trace_info(trace);
    assert_string_equal(info->program, "/bin/prog");
    assert_string_equal(info->directory, "/tmp");
    assert_string_equal(info->libc, "glibc 2.36");
    assert_string_equal(info->processor, "A processor");
    assert_int_equal(info->argument_count, 3);
    assert_string_equal(info->arguments[2], "a file");
    assert_null(info->arguments[3]);
    assert_string_equal(info->environment[1], "LANG=C");
    assert_memory_equal(info->build_id, build_id, BUILD_ID_SIZE);
    assert_int_equal(info->start_time, 1700000000);
    assert_int_equal(trace_stream_count(trace), 2);
    assert_int_equal(trace_stream_slot(trace, 1), 1);
    trace_close(trace);
    made_trace_deinit(&made);
}

static void test_calls(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", build_id, NULL);
    struct trace *trace = open_made(&made);
    struct trace_cursor *cursor;
    const struct trace_event *event = find(trace, 0, EVENT_CALL, 0, &cursor);
    assert_int_equal(event->number, 1);
    assert_string_equal(event->site->name, "open");
    assert_int_equal(event->site->address, 0x10001010);
    assert_int_equal(event->call.inputs[0].kind, TRACE_STRING);
    assert_memory_equal(event->call.inputs[0].bytes.data, "absent", 6);
    assert_int_equal(event->call.inputs[2].kind, TRACE_NOTHING);
    assert_int_equal(event->call.result.number[0], -1);
    assert_true(event->flags & EVENT_ERRNO);
    assert_int_equal(event->call.error, 2);
    trace_cursor_free(cursor);

    event = find(trace, 0, EVENT_CALL, 2, &cursor);
    assert_string_equal(trace_parameter_name(trace, event->call.model, 1), "buf");
    struct trace_output output;
    struct bytes rest = event->call.outputs;
    assert_true(trace_output_next(&rest, &output));
    assert_int_equal(output.tag, 1);
    assert_memory_equal(output.bytes.data, "GET / HTTP/1.1\r\n", 16);
    assert_false(trace_output_next(&rest, &output));
    trace_cursor_free(cursor);

    event = find(trace, 0, EVENT_CALL, 4, &cursor); /* div */
    assert_int_equal(event->call.result.kind, TRACE_PAIR);
    assert_int_equal(event->call.result.number[0], -3);
    assert_int_equal(event->call.result.number[1], -1);
    trace_cursor_free(cursor);

    event = find(trace, 0, EVENT_CALL, 12, &cursor); /* execv */
    assert_int_equal(event->call.inputs[1].count, 2);
    struct bytes strings = event->call.inputs[1].bytes, string;
    assert_true(trace_strings_next(&strings, &string));
    assert_true(trace_strings_next(&strings, &string));
    assert_memory_equal(string.data, "a \"b\"\n", 6);
    assert_false(trace_strings_next(&strings, &string));
    trace_cursor_free(cursor);

    event = find(trace, 0, EVENT_CALL, 14, &cursor); /* walk_tree */
    assert_null(event->call.model);
    assert_int_equal(event->call.result.kind, TRACE_REGISTERS);
    assert_int_equal(event->call.result.number[1], 0x1234);
    assert_int_equal(event->call.result.bits[0], 0x4000000000000000);
    trace_cursor_free(cursor);
    trace_close(trace);
    made_trace_deinit(&made);
}

static void test_numbers(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", build_id, NULL);
    struct trace *trace = open_made(&made);
    struct trace_cursor *cursor;
    const struct trace_event *event = find(trace, 0, EVENT_ENTER, 0, &cursor);
    assert_int_equal(event->skipped, 3);
    assert_int_equal(event->path, 0x5eed);
    assert_int_equal(event->number, 18); /* 14 calls in the log, three that are not */
    assert_int_equal(event->depth, 0);
    assert_int_equal(event->enter.integer_count, 2);
    trace_cursor_free(cursor);
    event = find(trace, 0, EVENT_LOAD, 0, &cursor);
    assert_int_equal(event->depth, 1);
    trace_cursor_free(cursor);
    event = find(trace, 0, EVENT_EXIT, 0, &cursor);
    assert_int_equal(event->number, 18 + 2 + 1 + 4096 + 1 + 1);
    assert_int_equal(event->exit.status, 3);
    trace_cursor_free(cursor);
    struct trace_summary summary;
    assert_null(trace_summarise(trace, &summary));
    assert_int_equal(summary.end, TRACE_CRASHED);
    assert_int_equal(summary.signal, 11);
    assert_int_equal(summary.calls, 18 + 2 + 1 + 4096 + 1 + 1 + 1);
    assert_int_equal(summary.threads, 2);
    trace_close(trace);
    made_trace_deinit(&made);
}

/* Of a block that was freed there are no bytes, whatever the event before it had. */
static void test_freed(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_init(&made, "/bin/prog", build_id);
    struct made_log *log = made_trace_log(&made, 0);
    struct made_body body = {0};
    body_varint(&body, 0x1000), body_bytes(&body, "seven b", 7);
    made_log_event(log, EVENT_STORE, &body);
    body_varint(&body, 0x1000);
    made_log_event(log, EVENT_STORE | EVENT_FREED, &body);
    made_trace_finish(&made);
    struct trace *trace = open_made(&made);
    struct trace_cursor *cursor;
    const struct trace_event *event = find(trace, 0, EVENT_STORE, 0, &cursor);
    assert_int_equal(event->store.bytes.size, 7);
    trace_cursor_free(cursor);
    event = find(trace, 0, EVENT_STORE, 1, &cursor);
    assert_int_equal(event->store.address, 0x1000);
    assert_int_equal(event->store.bytes.size, 0);
    assert_int_equal(event->store.count, 0);
    trace_cursor_free(cursor);
    trace_close(trace);
    body_deinit(&body);
    made_trace_deinit(&made);
}

/* A killed program: no checksum, no EXIT, and a chunk that was only begun. */
static void test_killed(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_init(&made, "/bin/prog", build_id);
    struct made_log *log = made_trace_log(&made, 0);
    struct made_body body = {0};
    uint32_t site = made_log_site(log, 0x10001000, "srand");
    for (int i = 0; i < 1000; i++) { /* several chunks */
        body_varint(&body, site), body_svarint(&body, i), body_varint(&body, 0);
        made_log_event(log, EVENT_CALL, &body);
    }
    made_trace_finish(&made);
    struct trace *trace = open_made(&made);
    assert_null(trace_check(trace));
    struct trace_summary summary;
    assert_null(trace_summarise(trace, &summary));
    assert_int_equal(summary.end, TRACE_KILLED);
    assert_int_equal(summary.calls, 1000);
    trace_close(trace);
    /* An empty stream, and one whose header alone was written. */
    static const size_t sizes[] = {0, sizeof(struct stream_header), STREAM_HEADER_SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        made.parts[2].bytes.size = sizes[i];
        trace = open_made(&made);
        assert_null(trace_check(trace));
        trace_close(trace);
    }
    body_deinit(&body);
    made_trace_deinit(&made);
}

/* Only the last chunk may be without a checksum, and each says what came before. */
static void test_chunks(void **state) {
    (void)state;
    struct made_trace made;
    made_trace_init(&made, "/bin/prog", build_id);
    struct made_log *log = made_trace_log(&made, 0);
    struct made_body body = {0};
    uint32_t site = made_log_site(log, 0x10001000, "srand");
    for (int i = 0; i < 1000; i++) {
        body_varint(&body, site), body_svarint(&body, i), body_varint(&body, 0);
        made_log_event(log, EVENT_CALL, &body);
    }
    made_trace_finish(&made);
    struct chunk_header *second =
        (void *)(log->file.data + STREAM_HEADER_SIZE + sizeof *second + log->capacity);
    second->sealed = 0;
    struct trace *trace = open_made(&made);
    struct trace_cursor *cursor = trace_cursor_new(trace, 0);
    const struct trace_event *event;
    struct error *err;
    uint64_t number = 0;
    while (!(err = trace_next(cursor, &event)) && event)
        number = event->number;
    assert_in_range(number, 10, 999); /* those of the first chunk */
    assert_string_equal(err->message, "log.0: is damaged at byte 5184: a chunk has no checksum "
                                      "and is not the last");
    error_free(err);
    trace_cursor_free(cursor);
    struct trace_summary summary;
    err = trace_summarise(trace, &summary);
    assert_non_null(err);
    error_free(err);
    trace_close(trace);
    second->sealed = 1;
    second->first_event += 2;
    trace = open_made(&made);
    err = trace_check(trace);
    assert_string_equal(err->message, "log.0: is damaged at byte 5184: a chunk out of order");
    error_free(err);
    trace_close(trace);
    body_deinit(&body);
    made_trace_deinit(&made);
}

/* What is said of a trace after `change`; the checksums are right again. */
static char *complaint(void (*change)(struct made_trace *made)) {
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", build_id, NULL);
    change(&made);
    struct trace *trace = NULL;
    struct error *err = trace_from_parts(made.parts, made.part_count, &trace);
    if (!err)
        err = trace_check(trace);
    char *message = mem_strdup(err ? err->message : "nothing");
    if (err)
        assert_int_equal(err->code, ERROR_INPUT);
    error_free(err);
    trace_close(trace);
    made_trace_deinit(&made);
    return message;
}

static void repair(struct made_trace *made) {
    made_repair(made->header.data, made->header.size, made->models.data, made->models.size,
                made->logs[0].file.data, made->logs[0].file.size);
}
static struct trace_header *header_of(struct made_trace *made) { return (void *)made->header.data; }
static struct stream_header *stream_of(struct made_trace *made) {
    return (void *)made->logs[0].file.data;
}
static struct chunk_header *chunk_of(struct made_trace *made) {
    return (void *)(made->logs[0].file.data + STREAM_HEADER_SIZE);
}
static uint8_t *events_of(struct made_trace *made) { return (uint8_t *)(chunk_of(made) + 1); }

static void header_magic(struct made_trace *made) { header_of(made)->magic++; }
static void header_version(struct made_trace *made) { header_of(made)->version++, repair(made); }
static void header_hash(struct made_trace *made) { header_of(made)->id++; }
static void header_count(struct made_trace *made) {
    header_of(made)->argument_count = UINT32_MAX, repair(made);
}
static void header_cut(struct made_trace *made) { made->parts[0].bytes.size -= 3; }
static void header_gone(struct made_trace *made) { made->parts[0].name = "other"; }
static void models_hash(struct made_trace *made) { made->models.data[200] ^= 1; }
static void models_gone(struct made_trace *made) { made->parts[1].name = "other"; }
static void stream_magic(struct made_trace *made) { stream_of(made)->magic = 7; }
static void stream_version(struct made_trace *made) { stream_of(made)->version = 7; }
static void stream_trace(struct made_trace *made) { stream_of(made)->id++; }
static void stream_build(struct made_trace *made) { stream_of(made)->build_id[3]++; }
static void stream_slot(struct made_trace *made) { stream_of(made)->slot = 9; }
static void stream_cut(struct made_trace *made) { made->parts[2].bytes.size = 100; }
static void chunk_magic(struct made_trace *made) { chunk_of(made)->magic = 1; }
static void chunk_hash(struct made_trace *made) { events_of(made)[40] ^= 1; }
static void chunk_cut(struct made_trace *made) { made->parts[2].bytes.size -= 64; }
static void chunk_capacity(struct made_trace *made) { chunk_of(made)->capacity = UINT32_MAX - 63; }
static void chunk_uneven(struct made_trace *made) { chunk_of(made)->capacity = 65; }
static void chunk_used(struct made_trace *made) {
    chunk_of(made)->used = chunk_of(made)->capacity + 1;
}
static void chunk_order(struct made_trace *made) { chunk_of(made)->first_event = 5; }
static void chunk_open(struct made_trace *made) { chunk_of(made)->sealed = 0; }
static void event_kind(struct made_trace *made) { events_of(made)[0] = 0x0f, repair(made); }
static void event_zero(struct made_trace *made) { events_of(made)[0] = 0, repair(made); }
static void event_flag(struct made_trace *made) { events_of(made)[0] |= 0x20, repair(made); }
static void event_size(struct made_trace *made) { events_of(made)[1] = 0x7f, repair(made); }
static void event_long(struct made_trace *made) {
    memset(events_of(made) + 1, 0xff, 12), repair(made);
}
static void site_order(struct made_trace *made) {
    /* After START comes SITE: head, size, id. */
    events_of(made)[2 + events_of(made)[1] + 2] = 1, repair(made);
}

static void test_damage(void **state) {
    (void)state;
    static const struct {
        void (*change)(struct made_trace *made);
        const char *message;
    } cases[] = {
        {header_magic, "trace: is not the header of a trace"},
        {header_version, "trace: has format version 7, this recut reads 6"},
        {header_hash, "trace: is damaged: its checksum is wrong"},
        {header_count, "trace: is damaged: its strings do not fit its counts"},
        {header_cut, "trace: is cut off"},
        {header_gone, "not a trace: there is no file trace"},
        {models_hash, "models: it is damaged"},
        {models_gone, "the file models is missing"},
        {stream_magic, "log.0: is not a log of recut's"},
        {stream_version, "log.0: has format version 7, this recut reads 6"},
        {stream_trace, "log.0: belongs to another trace"},
        {stream_build, "log.0: belongs to another build of the program"},
        {stream_slot, "log.0: belongs to another thread"},
        {stream_cut, "log.0: is cut off in its header"},
        {chunk_magic, "log.0: is damaged at byte 4096: no chunk begins here"},
        {chunk_hash, "log.0: is damaged at byte 4096: the checksum of a chunk is wrong"},
        {chunk_cut, "log.0: is damaged at byte 4096: the file is cut off"},
        {chunk_capacity, "log.0: is damaged at byte 4096: a chunk of 4294967232 bytes"},
        {chunk_uneven, "log.0: is damaged at byte 4096: a chunk of 65 bytes"},
        {chunk_used, "log.0: is damaged at byte 4096: 1025 bytes in a chunk of 1024"},
        {chunk_order, "log.0: is damaged at byte 4096: a chunk out of order"},
        {chunk_open, "nothing"},
        {event_kind, "log.0: is damaged at byte 4160: the event is too short for what it holds"},
        {event_zero, "log.0: is damaged at byte 4160: no such kind of event"},
        {event_flag, "log.0: is damaged at byte 4160: a flag that its kind of event cannot have"},
        {event_size, "log.0: is damaged at byte 4160: the event is too long for what it holds"},
        {event_long, "log.0: is damaged at byte 4160: an event reaches past the end of its chunk"},
        {site_order, "log.0: is damaged at byte 4179: a site out of order"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *message CLEANUP_FREE = complaint(cases[i].change);
        assert_string_equal(message, cases[i].message);
    }
}

static void test_varint(void **state) {
    (void)state;
    static const uint8_t longest[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    static const uint8_t too_large[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
    static const uint8_t too_long[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                       0x80, 0x80, 0x80, 0x80, 0};
    static const uint8_t padded[] = {0x85, 0x80, 0x80, 0x80, 0};
    struct reader reader = reader_of((struct bytes){longest, sizeof longest});
    assert_int_equal(reader_varint(&reader), UINT64_MAX);
    assert_true(reader_is_done(&reader));
    reader = reader_of((struct bytes){too_large, sizeof too_large});
    assert_int_equal(reader_varint(&reader), 0);
    assert_true(reader.bad);
    reader = reader_of((struct bytes){too_long, sizeof too_long});
    assert_int_equal(reader_varint(&reader), 0);
    assert_true(reader.bad);
    reader = reader_of((struct bytes){padded, sizeof padded});
    assert_int_equal(reader_varint(&reader), 5);
    assert_true(reader_is_done(&reader));
    reader = reader_of((struct bytes){NULL, 0});
    assert_int_equal(reader_u64(&reader), 0);
    assert_true(reader.bad);
    static const int64_t numbers[] = {0, -1, 1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct made_body body = {0};
        body_svarint(&body, numbers[i]);
        reader = reader_of((struct bytes){body.data, body.size});
        assert_int_equal(reader_svarint(&reader), numbers[i]);
        body_deinit(&body);
    }
}

static void test_names(void **state) {
    (void)state;
    static const char *const good[] = {
        "trace",
        "models",
        "log.0",
        "log.12",
        "program",
        "lib/libc.so.6",
        "lib/libstdc++.so.6",
        "process",
        "pid.4711/log.0",
        "pid.4711/process",
        "exec/trace",
        "exec/lib/libc.so.6",
        "pid.4711/exec/program",
        "pid.1/exec/pid.2/exec/exec/pid.3/log.7",
        "pid.7/trace", /* a program that something else started */
        "pid.7/program",
        "pid.7/lib/libc.so.6",
        "pid.7/pid.8/log.0", /* and a child of that */
    };
    static const char *const bad[] = {
        "",
        "/etc/passwd",
        "../x",
        "lib/../x",
        "lib/..",
        "lib/",
        "lib",
        "lib/a/b",
        "log.",
        "log.1x",
        "log.-1",
        "trace/x",
        "lib/.hide",
        "x",
        "lib/a\nb",
        "./trace",
        "program/",
        "log.0/..",
        "lib/a\033[0m",
        "pid.4711",
        "pid.4711/",
        "pid./log.0",
        "pid.0/log.0",
        "pid.07/log.0",
        "pid.12345678901/log.0",
        "pid.7x/log.0",
        "pid.7/x",
        "pid.7//log.0",
        "pid.7/../trace",
        "pid.7/../../evil",
        "pid.7/./log.0",
        "exec",
        "exec/",
        "exec/..",
        "exec/../trace",
        "exec//trace",
        "/exec/trace",
        "exec/x",
        "executable/trace",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(archive_is_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(archive_is_name(bad[i]));
}

/* Deep names are cut in two, and come back whole; what is too long is no name. */
static void test_long_names(void **state) {
    (void)state;
    char name[1024] = "";
    size_t longest = 0;
    for (size_t depth = 0; depth < 40; depth++, strcat(name, "pid.1234567/exec/")) {
        char file[1100], back[TAR_NAME_SIZE];
        snprintf(file, sizeof file, "%slib/ld-linux-x86-64.so.2", name);
        if (!archive_is_name(file))
            continue;
        longest = strlen(file);
        struct tar_header header;
        tar_header_init(&header, file, NULL, 5, true);
        assert_null(tar_header_check(&header));
        tar_header_name(&header, back);
        assert_string_equal(back, file);
        assert_int_equal(tar_header_size(&header), 5);
        assert_false(tar_header_is_link(&header));
    }
    assert_in_range(longest, 200, TAR_NAME_SIZE - 1);
}

static void test_directory(void **state) {
    (void)state;
    char *base = NULL, *first = NULL, *second = NULL, *other = NULL, *found = NULL;
    assert_null(io_make_temp_dir(&base));
    char *all CLEANUP_FREE = mem_printf("%s/a/traces", base);
    setenv("RECUT_TRACE_DIR", all, 1);
    char **names;
    assert_null(trace_names(&names));
    assert_null(names[0]);
    trace_names_free(names);
    assert_null(trace_create("/usr/bin/prog", NULL, &first));
    assert_string_equal(strrchr(first, '/'), "/prog-0");
    struct stat st;
    assert_int_equal(stat(first, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    char *gap CLEANUP_FREE = mem_printf("%s/prog-9", all);
    assert_null(io_make_dirs(gap));
    assert_null(trace_create("prog", NULL, &second));
    assert_string_equal(strrchr(second, '/'), "/prog-10");
    assert_null(trace_create("prog-9", NULL, &other));
    assert_string_equal(strrchr(other, '/'), "/prog-9-0");
    assert_null(trace_names(&names));
    static const char *const wanted[] = {"prog-0", "prog-9", "prog-10", "prog-9-0"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(names[i], wanted[i]);
    assert_null(names[4]);
    trace_names_free(names);
    assert_null(trace_resolve(NULL, &found));
    assert_string_equal(found, other);
    free(found);
    /* What it points to goes; the one with the newest header takes its place. */
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", build_id, NULL);
    assert_null(made_trace_write(&made, first));
    made_trace_deinit(&made);
    io_remove_tree(other);
    assert_null(trace_repair_latest());
    assert_null(trace_resolve(NULL, &found));
    assert_string_equal(found, first);
    free(found);
    assert_true(trace_is_at(first));
    assert_false(trace_is_at(second));
    assert_null(trace_resolve("prog-10", &found));
    assert_string_equal(strrchr(found, '/'), "/prog-10");
    free(found);
    int fd;
    struct trace *trace;
    struct trace_summary summary;
    assert_null(trace_open(first, &trace));
    assert_null(trace_hold(first, &fd));
    assert_null(trace_summarise(trace, &summary));
    assert_int_equal(summary.end, TRACE_CRASHED); /* what the log says counts */
    close(fd);
    trace_close(trace);
    io_remove_tree(base);
    free(base), free(first), free(second), free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),    cmocka_unit_test(test_calls),
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_killed),
        cmocka_unit_test(test_freed),     cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_damage),    cmocka_unit_test(test_varint),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
