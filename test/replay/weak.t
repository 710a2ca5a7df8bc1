#!/bin/bash
# Calls of weak functions of the environment, in the program as it is and in a variant.
. "$(dirname "$0")/../lib/tap.sh"

"$RECUT_CC" -w -g -O2 -o weak "$root/test/replay/programs/weak.c" || exit 1
for mode in causal serial; do
	"$RECUT" record -q "--threads=$mode" -o "trace.$mode" ./weak >recorded 2>&1
	"$RECUT" replay "trace.$mode" >replayed 2>&1
	ok "$mode: output" diff recorded replayed
	like "$mode: each call is an event" "$("$RECUT" events "trace.$mode")" \
		"*clock_gettime*clock_gettime*clock_gettime*getppid*"
done
finish
