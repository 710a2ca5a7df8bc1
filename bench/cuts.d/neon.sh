# shellcheck shell=bash
# A client of neon that fetches a file of 400 KB again and again, looks at the head of each answer
# and skips the rest.
title="neon 0.32"
paper_title="neon 0.28"
figure=7
needs="libxml2-dev"
exe=fetch
loads="50 5"
paper=([whole]="2.5 % of the input")

build() {
	cp -a "$(fetch --upstream neon27)/." .
	./configure --disable-nls --disable-shared --without-ssl --without-libxml2 --without-expat --without-zlib
	make -j2
	$CC $CFLAGS -Isrc -o fetch "$here/load/fetch.c" src/.libs/libneon.a
	mkdir -p site
	python3 "$here/load/site.py" site 1 400
}

# work FETCHES COMMAND...
work() {
	local server status port=28148
	python3 -m http.server --bind 127.0.0.1 --directory "$built/site" $port >/dev/null 2>&1 &
	server=$!
	await_port $port
	"${@:2}" 127.0.0.1 $port /page0.html "$1" >said
	status=$?
	kill $server
	cat said
	[ $status = 0 ] && grep -q "^0 failed of $1\$" said
}
