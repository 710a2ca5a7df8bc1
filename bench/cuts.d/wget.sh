# shellcheck shell=bash
# Wget gets a small site of ten pages of prose, 400 KB each with some 900 tags, and makes its links
# relative.  NTLM needs DES and MD4 of nettle, which never run here, and have models; other libraries
# are left out.
title="Wget 1.21"
paper_title="Wget 1.11"
figure=7
needs="nettle-dev python3"
exe=src/wget
targets="whole"
loads="prose two"
paper=([whole]="309.6 KB of 8 MB")

cut_options() { echo "--target $1 --model $here/load/nettle.model"; }

build() {
	cp -a "$(fetch --upstream wget)/." .
	./configure --without-ssl --without-zlib --without-libuuid --without-libpsl --disable-pcre --disable-pcre2 \
		--disable-iri --disable-nls
	make -j2
	mkdir -p prose two long long-two
	python3 "$here/load/site.py" prose 10 400
	python3 "$here/load/site.py" two 2 400
	python3 "$here/load/site.py" long 10 400 40
	python3 "$here/load/site.py" long-two 2 400 40
}

# work SITE COMMAND...
work() {
	local server status port=28151
	python3 -m http.server --bind 127.0.0.1 --directory "$built/$1" $port >/dev/null 2>&1 &
	server=$!
	await_port $port
	"${@:2}" -q -r -l 20 -k "http://127.0.0.1:$port/page0.html"
	status=$?
	kill $server
	[ $status = 0 ] && [ "$(find . -name 'page*.html' | wc -l)" = "$(find "$built/$1" -name 'page*.html' | wc -l)" ]
}
