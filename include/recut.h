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

#ifdef __cplusplus
}
#endif

#endif
