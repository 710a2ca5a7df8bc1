#!/bin/bash
# Slices of random programs with containers and callbacks against runs with other inputs
# (containers.py).
. "$(dirname "$0")/../lib/tap.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
count=$(is_long && echo 300 || echo 20)
python3 "$root/test/slice/containers.py" "$RECUT" "$RECUT_CC" . 1 "$count"
