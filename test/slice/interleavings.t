#!/bin/bash
# Slices of tiny programs with threads against all of their interleavings (interleavings.py).
. "$(dirname "$0")/../lib/tap.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
count=$(is_long && echo 500 || echo 60)
python3 "$root/test/slice/interleavings.py" "$RECUT" "$RECUT_CC" . 1 "$count"
