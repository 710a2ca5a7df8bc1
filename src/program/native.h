/*
 * Code inside an executable that has no bitcode: assembly, objects of another
 * compiler, libraries linked statically.
 */
#ifndef RECUT_PROGRAM_NATIVE_H
#define RECUT_PROGRAM_NATIVE_H

#include "program/program.h"

struct native_code {
    bool is_known; /* false if the executable was stripped of its symbols */
    char **names;  /* sorted; owned */
    size_t count;
};

/*
 * Functions of the executable's symbol table that are neither the program's nor
 * the runtime's nor the start-up code's.  The runtime's are told by name and
 * size from the archives that recut links; with the archives of another version,
 * some of the runtime's own may show up.
 */
struct error *native_find(const struct program *program, struct native_code *ret);
void native_deinit(struct native_code *native);

#endif
