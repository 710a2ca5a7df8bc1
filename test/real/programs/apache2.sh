# shellcheck shell=bash
package=apache2
patched=no
system="autoconf, libtool"
needs="libapr1-dev libaprutil1-dev libpcre2-dev libssl-dev zlib1g-dev libwww-perl
libhttp-dav-perl libio-socket-ssl-perl"
exes="inst/bin/httpd inst/bin/ab inst/bin/htpasswd inst/bin/rotatelogs"
replays=none
replays_note="Not tried: a server with a child for each of its connections, under a load of its own suite."
config=include/ap_config_auto.h
# As root it would change to another user in the middle.
as_nobody=yes
note="The perl-framework that comes with the package, on loopback, every module
linked statically, one result a file. Left out: \`php\` and \`ab\`, and \`mmn.t\`,
\`include.t\` and \`session.t\`, which do not get far without apxs and the
framework's own shared modules.
A few fail with plain as well."

left_out="t/apache/mmn.t
t/modules/include.t
t/modules/session.t"

build() {
	./configure --prefix="$PWD/inst" --with-mpm=event --enable-mods-static=reallyall \
		--disable-so --disable-lua --disable-http2 --disable-md
	make -j"$JOBS"
	make install
}

# The framework listens on every address and wants modules of its own as shared
# objects, without which one block of its configuration is not understood; both
# are changed in the framework, not in the program.
suite() {
	local httpd=$PWD/inst/bin/httpd
	cd debian/perl-framework || return
	perl -pi -e 's/0\.0\.0\.0:/127.0.0.1:/' Apache-Test/lib/Apache/TestConfig.pm
	perl -0pi -e 's/# PR60478.*?<\/IfVersion>//s' t/conf/extra.conf.in
	perl Makefile.PL -httpd "$httpd"
	# shellcheck disable=SC2046
	t/TEST -v -port select -servername localhost $(find t/apache t/filter t/http11 \
		t/modules t/protocol t/security t/ssl -name '*.t' | sort | grep -vxF "$left_out")
}

results() { results_prove; }
