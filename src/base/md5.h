/*
 * MD5 (RFC 1321): compilers name the contents of a source by it.  For nothing else.
 */
#ifndef RECUT_BASE_MD5_H
#define RECUT_BASE_MD5_H

#include <stddef.h>

#define MD5_TEXT_SIZE 33

/* In hexadecimal, with a NUL. */
void md5_text(const void *data, size_t size, char ret[MD5_TEXT_SIZE]);

#endif
