/*
 * recut profile: runs a program with counters in it and shows where its memory
 * traffic is.
 *
 * The variant with the counters is built once for each program and choice of
 * functions and kept in the user's cache.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/run.h"
#include "cmd/variant_cache.h"
#include "format/variant.h"
#include "instrument/profile.h"
#include "program/embedded.h"

static const char usage[] =
    "usage: recut profile [-o FILE] [-n ROWS] [--only FUNC|FILE]... [--] PROG [ARG...]\n"
    "\n"
    "Runs PROG and counts, for each function and each load and store, how often it\n"
    "was executed and how many bytes it moved. PROG must be built with recut-cc.\n"
    "\n"
    "  -o, --output FILE   write all counts as JSON (see docs/formats.md)\n"
    "  -n, --rows ROWS     rows of the table (default 20; 0 for all)\n"
    "      --only NAME     count only in this function, or in all functions of this\n"
    "                      source file; the rest runs unchanged. May be repeated.\n"
    "      --each          a counter for each load and store instead of one for each\n"
    "                      run of instructions between calls: slower, same result\n"
    "  -q, --quiet         no table\n"
    "      --help          this text\n"
    "\n"
    "The table goes to standard error; the exit status is that of PROG.\n";

struct profile_run {
    const char *program; /* path of the executable */
    char **argv;
    const char *output;
    VEC(const char *) only;
    long rows;
    bool quiet, each;
    struct embedded embedded;
    struct profile_map map;
    uint64_t *totals; /* by counter, summed over all threads and processes */
    uint64_t threads, lost;
    char *image, *data;
};

static char *image_path(const struct profile_run *run) {
    /* The build id does not cover where the linker put things. */
    uint64_t choice =
        XXH3_64bits(run->embedded.table, run->embedded.table_count * sizeof(uint64_t));
    choice += run->each;
    for (size_t i = 0; i < run->only.count; i++)
        choice = XXH3_64bits_withSeed(run->only.data[i], strlen(run->only.data[i]) + 1, choice);
    return variant_cache_path(run->embedded.build_id, "profile", choice);
}

static struct error *prepare_variant(struct profile_run *run) {
    if (run->only.count)
        VEC_PUSH(&run->only, NULL);
    struct profile_options options = {
        .only = run->only.data, .models = model_table_builtin(), .each = run->each};
    if (run->only.count)
        run->only.count--;
    run->image = image_path(run);
    if (access(run->image, R_OK) != 0) {
        options.image_path = run->image;
        cmd_progress("building counters into %s, once ...", run->program);
    }
    struct error *err = profile_build(&run->embedded, &options, &run->map);
    cmd_progress(NULL);
    return err;
}

static struct error *prepare_counters(struct profile_run *run) {
    const char *base = getenv("TMPDIR");
    run->data = mem_printf("%s/recut-profile-XXXXXX", base && *base ? base : "/tmp");
    int fd = mkostemp(run->data, O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot create %s", run->data);
    uint64_t row = (uint64_t)run->map.counter_count * sizeof(uint64_t);
    struct profile_header header = {
        .magic = PROFILE_MAGIC,
        .counter_count = run->map.counter_count,
        .row_size = (row + 4095) / 4096 * 4096,
    };
    memcpy(header.build_id, run->embedded.build_id, BUILD_ID_SIZE);
    off_t size = (off_t)(PROFILE_HEADER_SIZE + PROFILE_MAX_ROWS * header.row_size);
    struct error *err = NULL;
    if (ftruncate(fd, size) != 0 || pwrite(fd, &header, sizeof header, 0) != sizeof header)
        err = error_errno("cannot write %s", run->data);
    close(fd);
    return err;
}

static struct error *read_counters(struct profile_run *run) {
    int fd = open(run->data, O_RDONLY | O_CLOEXEC);
    struct profile_header header;
    if (fd < 0 || pread(fd, &header, sizeof header, 0) != sizeof header) {
        struct error *err = error_errno("cannot read %s", run->data);
        if (fd >= 0)
            close(fd);
        return err;
    }
    uint64_t rows = header.row_count < PROFILE_MAX_ROWS ? header.row_count : PROFILE_MAX_ROWS;
    run->threads = header.row_count;
    run->lost = header.lost_count;
    run->totals = mem_zalloc(run->map.counter_count, sizeof *run->totals);
    for (uint64_t i = 0; i < rows; i++) {
        off_t offset = (off_t)(PROFILE_HEADER_SIZE + i * header.row_size);
        const uint64_t *row = mmap(NULL, header.row_size, PROT_READ, MAP_PRIVATE, fd, offset);
        if (row == MAP_FAILED)
            break;
        for (uint32_t k = 0; k < run->map.counter_count; k++)
            run->totals[k] += row[k];
        munmap((void *)row, header.row_size);
    }
    close(fd);
    return NULL;
}

static struct error *run_program(struct profile_run *run, int *ret_status) {
    const char *const variables[] = {VARIANT_ENV, run->image, PROFILE_ENV, run->data, NULL};
    struct run_options options = {
        .program = run->program, .argv = run->argv, .variables = variables, .kept_fd = -1};
    int pid;
    struct error *err = run_start(&options, &pid);
    return err ? err : run_wait(pid, ret_status);
}

struct sums {
    const struct profile_function *function;
    uint64_t calls, loads, stores, read, written;
};

static uint64_t access_bytes(const struct profile_run *run, const struct profile_access *access) {
    return access->bytes_counter != PROFILE_NO_COUNTER
               ? run->totals[access->bytes_counter]
               : access->size * run->totals[access->counter];
}

static struct sums sum_function(const struct profile_run *run, const struct profile_function *f) {
    struct sums sums = {.function = f, .calls = run->totals[f->entry_counter]};
    for (uint32_t i = 0; i < f->access_count; i++) {
        const struct profile_access *access = &run->map.accesses[f->first_access + i];
        uint64_t count = run->totals[access->counter], bytes = access_bytes(run, access);
        if (profile_reads(access->kind)) {
            sums.loads += count;
            sums.read += bytes;
        }
        if (profile_writes(access->kind)) {
            sums.stores += count;
            sums.written += bytes;
        }
    }
    return sums;
}

static int by_bytes(const void *a, const void *b) {
    const struct sums *x = a, *y = b;
    uint64_t bx = x->read + x->written, by = y->read + y->written;
    if (bx != by)
        return bx < by ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return strcmp(x->function->name, y->function->name);
}

static void print_table(const struct profile_run *run, struct sums *sums, size_t count) {
    size_t ran = 0;
    for (size_t i = 0; i < count; i++)
        ran += sums[i].calls != 0;
    size_t rows = run->rows == 0 || (size_t)run->rows > ran ? ran : (size_t)run->rows;
    fprintf(stderr, "\n%12s %14s %14s %14s %14s  %s\n", "calls", "loads", "stores", "bytes read",
            "bytes written", "function");
    for (size_t i = 0, shown = 0; i < count && shown < rows; i++) {
        if (!sums[i].calls)
            continue;
        shown++;
        const struct profile_function *f = sums[i].function;
        fprintf(stderr, "%12" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "  %s",
                sums[i].calls, sums[i].loads, sums[i].stores, sums[i].read, sums[i].written,
                f->source_name);
        if (*f->file)
            fprintf(stderr, "  %s:%u", f->file, f->line);
        fputc('\n', stderr);
    }
    fprintf(stderr, "%zu of %zu functions ran%s; %" PRIu64 " thread%s", ran, count,
            run->only.count ? " of those chosen" : "", run->threads, run->threads == 1 ? "" : "s");
    if (rows < ran)
        fprintf(stderr, "; %zu more rows with -n 0", ran - rows);
    fputc('\n', stderr);
    if (run->map.skipped_count)
        fprintf(stderr, "%zu functions were not counted; the first: %s: %s\n",
                run->map.skipped_count, run->map.skipped[0].name, run->map.skipped[0].reason);
    if (run->lost)
        fprintf(stderr, "%" PRIu64 " threads found no room for their counters\n", run->lost);
}

static cJSON *access_json(const struct profile_run *run, const struct profile_access *access) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "instruction", access->instruction);
    cJSON_AddStringToObject(json, "kind", profile_kind_name(access->kind));
    cJSON_AddNumberToObject(json, "line", access->line);
    cJSON_AddNumberToObject(json, "column", access->column);
    cJSON_AddNumberToObject(json, "count", (double)run->totals[access->counter]);
    cJSON_AddNumberToObject(json, "bytes", (double)access_bytes(run, access));
    return json;
}

static cJSON *call_json(const struct profile_run *run, const struct profile_call *call) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "instruction", call->instruction);
    cJSON_AddNumberToObject(json, "line", call->line);
    cJSON_AddNumberToObject(json, "column", call->column);
    cJSON_AddNumberToObject(json, "count", (double)run->totals[call->counter]);
    if (call->bytes_counter != PROFILE_NO_COUNTER)
        cJSON_AddNumberToObject(json, "bytes", (double)run->totals[call->bytes_counter]);
    return json;
}

static struct error *write_json(const struct profile_run *run) {
    cJSON *root = cJSON_CreateObject();
    char id[2 * BUILD_ID_SIZE + 1];
    for (int i = 0; i < BUILD_ID_SIZE; i++)
        snprintf(id + 2 * i, 3, "%02x", run->embedded.build_id[i]);
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddStringToObject(root, "build_id", id);
    cJSON_AddNumberToObject(root, "threads", (double)run->threads);
    cJSON *functions = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < run->map.function_count; i++) {
        const struct profile_function *f = &run->map.functions[i];
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "name", f->name);
        cJSON_AddStringToObject(json, "file", f->file);
        cJSON_AddNumberToObject(json, "line", f->line);
        cJSON_AddNumberToObject(json, "calls", (double)run->totals[f->entry_counter]);
        cJSON *accesses = cJSON_AddArrayToObject(json, "accesses");
        for (uint32_t k = 0; k < f->access_count; k++)
            cJSON_AddItemToArray(accesses,
                                 access_json(run, &run->map.accesses[f->first_access + k]));
        cJSON *calls = cJSON_AddArrayToObject(json, "called");
        for (uint32_t k = 0; k < f->call_count; k++)
            cJSON_AddItemToArray(calls, call_json(run, &run->map.calls[f->first_call + k]));
        cJSON_AddItemToArray(functions, json);
    }
    cJSON *skipped = cJSON_AddArrayToObject(root, "not_counted");
    for (size_t i = 0; i < run->map.skipped_count; i++) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "name", run->map.skipped[i].name);
        cJSON_AddStringToObject(json, "reason", run->map.skipped[i].reason);
        cJSON_AddItemToArray(skipped, json);
    }
    char *text = cJSON_Print(root);
    struct error *err = io_write_file(run->output, text, strlen(text));
    cJSON_free(text);
    cJSON_Delete(root);
    return err;
}

static struct error *report(const struct profile_run *run) {
    if (!run->quiet) {
        size_t count = run->map.function_count;
        struct sums *sums = mem_zalloc(count, sizeof *sums);
        for (size_t i = 0; i < count; i++)
            sums[i] = sum_function(run, &run->map.functions[i]);
        qsort(sums, count, sizeof *sums, by_bytes);
        print_table(run, sums, count);
        free(sums);
    }
    return run->output ? write_json(run) : NULL;
}

static struct error *profile(struct profile_run *run, int *ret_status) {
    struct error *err = embedded_open(run->program, &run->embedded);
    if (!err)
        err = prepare_variant(run);
    if (!err && run->only.count && run->map.function_count == 0)
        err = error_new(ERROR_USAGE, "--only %s: no function and no source file of that name in %s",
                        run->only.data[0], run->program);
    if (!err)
        err = prepare_counters(run);
    if (!err)
        err = run_program(run, ret_status);
    if (!err)
        err = read_counters(run);
    if (!err)
        err = report(run);
    if (run->data)
        unlink(run->data);
    return err;
}

static void profile_run_deinit(struct profile_run *run) {
    embedded_deinit(&run->embedded);
    profile_map_deinit(&run->map);
    VEC_DEINIT(&run->only);
    free(run->totals);
    free(run->image);
    free(run->data);
}

int cmd_profile(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"rows", required_argument, NULL, 'n'},
        {"only", required_argument, NULL, 'O'},
        {"quiet", no_argument, NULL, 'q'},
        {"each", no_argument, NULL, 'e'},
        CMD_OPTION_HELP,
        {0},
    };
    struct profile_run run = {.rows = 20};
    int option;
    while ((option = getopt_long(argc, argv, "+:o:n:qh", options, NULL)) != -1)
        switch (option) {
        case 'o':
            run.output = optarg;
            break;
        case 'n': {
            char *end;
            run.rows = strtol(optarg, &end, 10);
            if (*end || end == optarg || run.rows < 0)
                return cmd_usage(argv[0], "--rows wants a number, not %s", optarg);
            break;
        }
        case 'O':
            VEC_PUSH(&run.only, optarg);
            break;
        case 'e':
            run.each = true;
            break;
        case 'q':
            run.quiet = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind == argc)
        return cmd_usage(argv[0], "no program given");
    char *program = run_find_program(argv[optind]);
    if (!program)
        return cmd_fail(argv[0], error_new(ERROR_FAILED, "%s: no such program", argv[optind]));
    run.program = program;
    run.argv = argv + optind;
    int status = 0;
    struct error *err = profile(&run, &status);
    profile_run_deinit(&run);
    free(program);
    return err ? cmd_fail(argv[0], err) : run_end_like(status);
}
