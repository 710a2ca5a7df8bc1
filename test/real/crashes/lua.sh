# shellcheck shell=bash disable=SC2034,SC2086,SC2016
build() {
	cd src && echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' >lua5.4-deb-multiarch.h &&
		printf '%s\n' [l]*.c | sed 's/\.c$//' | grep -v luac |
		xargs -P"$JOBS" -I{} $CC -std=gnu99 -DLUA_USE_POSIX -DLUA_USE_DLOPEN -I. -c {}.c -o {}.o && $CC -Wl,-E -o lua [l]*.o -lm -ldl
}
