/*
 * Second chance (ReCrash, section 2.4): functions that were running when a program failed, which
 * are monitored from then on; the others never are.
 *
 * They are kept by build id in $XDG_STATE_HOME/recut/second-chance, else in
 * ~/.local/state/recut/second-chance, as text that can be carried elsewhere:
 *
 *     recut second chance 1
 *     build 0f3a...
 *     function parse_line
 */
#ifndef RECUT_CMD_SECOND_CHANCE_H
#define RECUT_CMD_SECOND_CHANCE_H

#include "base/error.h"
#include "base/mem.h"
#include "format/program_section.h"

struct second_chance {
    uint8_t build_id[BUILD_ID_SIZE];
    VEC(char *) functions; /* sorted, each once */
};

/* What is known of a program; nothing, without an error, if it has not failed yet. */
struct error *second_chance_load(const char *program, struct second_chance *ret);
void second_chance_deinit(struct second_chance *list);

void second_chance_add(struct second_chance *list, const char *function);
struct error *second_chance_save(const struct second_chance *list);

struct error *second_chance_export(const struct second_chance *list, const char *path);
/* Adds those of a file, which must be of the same build. */
struct error *second_chance_import(struct second_chance *list, const char *path);

#endif
