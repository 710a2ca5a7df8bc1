/* Recording goes on in another program; see process_resume.c. */
#ifndef RECUT_RUNTIME_PROCESS_RESUME_H
#define RECUT_RUNTIME_PROCESS_RESUME_H

#include <stdbool.h>

/* Where `recut` is; NULL: not known. */
void __recut_process_tool(const char *path);

/* Comes back if the program is not one of ours. */
void __recut_process_resume(const char *path, bool searches, char *const *arguments,
                            char *const *environment);

#endif
