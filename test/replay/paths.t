#!/bin/bash
# realpath, getcwd, tempnam and their kin replay when the paths are gone.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "paths" paths
finish
