/* What was taken out of a capture?  See redact.h. */
#include <stdio.h>
#include <string.h>

#include "testgen/redact.h"

struct error *redact_save(const struct capture *capture, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out)
        return error_errno("cannot write %s", path);
    for (size_t at = 0; at + sizeof(struct capture_record) <= capture->size;) {
        struct capture_record record;
        memcpy(&record, capture->data + at, sizeof record);
        at += sizeof record;
        capture_write_of(out, &record, capture->data + at);
        at += (record.size + 7) & ~7ULL;
    }
    for (size_t i = 0; i < capture->hidden.count; i++) {
        const struct capture_hidden *one = &capture->hidden.data[i];
        struct capture_redacted head = {one->address, one->size};
        capture_write(out, CAPTURE_REDACTED, &head, sizeof head, one->name, strlen(one->name) + 1);
    }
    bool failed = ferror(out) | fclose(out);
    return failed ? error_errno("cannot write %s", path) : NULL;
}

char *redact_names(const struct capture *capture) {
    char *text = NULL;
    for (size_t i = 0; i < capture->hidden.count; i++) {
        const char *name = capture->hidden.data[i].name;
        bool is_known = !*name;
        for (size_t k = 0; k < i && !is_known; k++)
            is_known = strcmp(capture->hidden.data[k].name, name) == 0;
        if (is_known)
            continue;
        char *before CLEANUP_FREE = text;
        text = mem_printf("%s%s%s", before ? before : "", before ? ", " : "", name);
    }
    return text;
}

bool redact_is_hidden(const struct capture *capture, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < capture->hidden.count; i++) {
        const struct capture_hidden *one = &capture->hidden.data[i];
        if (one->size && one->address < address + size && address < one->address + one->size)
            return true;
    }
    return false;
}

bool redact_is_hidden_parameter(const struct capture *capture, const char *function,
                                const char *name) {
    char *whole CLEANUP_FREE = mem_printf("%s.%s", function, name);
    for (size_t i = 0; i < capture->hidden.count; i++)
        if (!capture->hidden.data[i].size && strcmp(capture->hidden.data[i].name, whole) == 0)
            return true;
    return false;
}
