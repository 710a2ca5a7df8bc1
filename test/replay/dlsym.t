#!/bin/bash
# Calls of functions that were found by dlsym() replay without the library.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

cat >plugin.c <<'END'
int plugin_add(int a, int b) { return a + b; }
double plugin_scale(double x, int a, int b, int c, int d, int e, int f, int g, int h) {
    return x * (a + b + c + d + e + f + g + h);
}
void plugin_each(int (*f)(int, void *), void *data) {
    for (int i = 1; i < 5; i++)
        f(i, data);
}
long write(int fd, const void *bytes, unsigned long size) { return -(long)size; }
END
ok "a library without recut builds" "$CLANG" -shared -fPIC -o plugin.so plugin.c
prepare() { cp "$work/plugin.so" .; }
options=--shared replays "functions by name" dlsym

# What such functions do to memory is not recorded by default, and that is told.
"$RECUT_CC" -w -o plain "$root/test/replay/programs/dlsym.c" || exit 1
like "a function without a model is told of" "$("$RECUT" record -q -o told ./plain 2>&1)" \
	"*recut: plugin_add\(\) has no model*--shared*"
finish
