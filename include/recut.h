/*
 * What a program can tell recut.
 *
 * All of it is without effect in a program that was not built with recut-cc: the header can
 * stay in what is shipped.
 */
#ifndef RECUT_H
#define RECUT_H

#ifdef __cplusplus
extern "C" {
#endif

void __recut_failure(const char *why) __attribute__((weak));

/* Something is wrong, though nothing crashes: a check that does not hold, an answer that cannot be.
 * `recut monitor` writes a crash file, `recut test` makes tests that fail if it is said again; the
 * program goes on. */
#define recut_failure(why) (__recut_failure ? __recut_failure(why) : (void)0)

/* Behind a variable, a field or a parameter: what is in it, and what it points to, stays out of
 * crash files and of tests.
 *
 *     static char password[64] RECUT_PRIVATE;
 *     struct account { char *name; char pin[8] RECUT_PRIVATE; };
 *     int check(const char *key RECUT_PRIVATE);
 *
 * It is kept in debug information, and so wants -g; clang keeps none of it of variables that are
 * neither static nor parameters: `recut monitor --redact NAME` is for those. */
#ifdef __has_attribute
#if __has_attribute(btf_decl_tag)
#define RECUT_PRIVATE __attribute__((btf_decl_tag("recut_private")))
#endif
#endif
#ifndef RECUT_PRIVATE
#define RECUT_PRIVATE
#endif

#ifdef __cplusplus
}
#endif

#endif
