#!/bin/bash
# Static executables are recorded and replayed as others are.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

# The same helper, with a compiler that links statically.
cat >static-cc <<END
#!/bin/sh
exec "$RECUT_CC" -static "\$@"
END
cat >static-clang <<END
#!/bin/sh
exec "$CLANG" -static "\$@"
END
chmod +x static-cc static-clang
RECUT_CC=$work/static-cc CLANG=$work/static-clang

prepare() { printf 'one\ntwo\n' >stdin; }
native=no
replays "streams, time and files" static argument
native=yes
prepare() { :; }
replays "requests" requests
replays "paths" paths
replays "mappings" mappings
replays "signals" signals
replays "children" processes

# What the runtime has code for is not linked in unless the program uses it.
for name in getaddrinfo wordexp glob nftw scandir; do
	ok "no $name in a program that does not use it" \
		sh -c "! nm static-O2/recorded/static | grep -q ' T $name\$'"
done
finish
