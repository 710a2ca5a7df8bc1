# shellcheck shell=bash
package=neon27
system="autoconf, libtool"
needs="libssl-dev libexpat1-dev zlib1g-dev libxml2-dev"
exes="test/basic test/request test/session test/socket test/ssl test/xml test/auth"
config=config.h
# The release as upstream made it: no automake is asked for again.
patched=no
note="\`make check\` with OpenSSL, servers on loopback. Programs link the static
library."

build() {
	./configure --with-ssl=openssl --disable-nls --enable-static --disable-shared
	make -j"$JOBS"
	make -C test -j"$JOBS" all 2>/dev/null || true
	make check TESTS=
}

suite() { TEST_QUIET=0 make -k check; }

# "\r 3. simple_get............ pass"; a warning pushes the verdict to a line of
# its own, with dots for the name.
results() {
	awk '
	{ sub(/.*\r/, "") }
	/^-> running/ { program = $3; gsub(/[^a-z0-9-]/, "", program) }
	/^ *[0-9]+\. [a-zA-Z0-9_]+\.+ / { name = $2; sub(/\.+$/, "", name) }
	/\.+ +(pass|FAIL|XFAIL|SKIPPED)/ {
		status = /XFAIL/ ? "xfail" : /FAIL/ ? "fail" : /SKIPPED/ ? "skip" : "pass"
		if (!seen[program, name, status]++) print status, program, name
	}'
}
