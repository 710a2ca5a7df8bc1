#!/bin/bash
# Messages with several buffers, packets, connections and waiting replay
# without the sockets.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "sockets" sockets
finish
