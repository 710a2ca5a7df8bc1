/*
 * The arguments as the kernel sees them: /proc/PID/cmdline, ps, top.
 */
#ifndef RECUT_RUNTIME_TITLE_H
#define RECUT_RUNTIME_TITLE_H

/* Tells the kernel where the strings of argv and of the environment are now, so
 * that a program which overwrites them to change its title still does. Where
 * the kernel does not allow it, the title stays what it was. */
void __recut_title_move(char *arg_start, char *arg_end, char *env_end);

#endif
