#!/bin/bash
# Directories, patterns and lists of the network, with functions of the program
# that libc calls on the way, replay without any of it.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "lists" lists
finish
