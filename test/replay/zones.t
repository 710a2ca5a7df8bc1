#!/bin/bash
# A replay knows the time zones that the recorded run had, and reads no file.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

TZ=EST5EDT replays "zones" zones
TZ='' replays "no zone" zones
finish
