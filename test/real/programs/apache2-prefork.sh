# shellcheck shell=bash
# The same source as apache2, as a server with a child for each connection.
package=apache2
patched=no
system="autoconf, libtool"
needs="libapr1-dev libaprutil1-dev libpcre2-dev"
exes="inst/bin/httpd inst/bin/ab"
replays=none
replays_note="Recorded under a load, see below."
loads="causal serial"
loads_note="1,000 requests of \`ab\` to children that wait for them; libapr and libaprutil are
libraries without a model."
config=include/ap_config_auto.h
as_nobody=yes
note="1,000 requests of \`ab\` to the server with \`--with-mpm=prefork\`."

build() {
	./configure --prefix="$PWD/inst" --with-mpm=prefork --enable-mods-static=few --disable-so
	make -j"$JOBS"
	make install
}

# serve PORT COMMAND...: the server, asked and ended.
serve() {
	local port=$1 at=$TMPDIR/serve.$1 server i
	shift
	mkdir -p "$at/htdocs"
	echo hello >"$at/htdocs/index.html"
	head -c 20000 /dev/zero | tr '\0' x >"$at/htdocs/large.txt"
	cat >"$at/httpd.conf" <<-CONF
		ServerRoot $at
		Listen 127.0.0.1:$port
		ServerName localhost
		PidFile $at/pid
		DocumentRoot $at/htdocs
		ErrorLog $at/error.log
		CustomLog $at/access.log "%h %r %>s %b"
		TypesConfig /dev/null
		StartServers 3
		MaxRequestWorkers 6
		<Directory $at/htdocs>
		Require all granted
		</Directory>
	CONF
	# It ends its whole process group.
	setsid "$@" "$PWD/inst/bin/httpd" -DFOREGROUND -f "$at/httpd.conf" &
	server=$!
	for ((i = 0; i < 600; i++)); do
		(exec 3<>/dev/tcp/127.0.0.1/"$port") 2>/dev/null && break
		sleep 0.2
	done
	inst/bin/ab -q -n 900 -c 4 "http://127.0.0.1:$port/"
	inst/bin/ab -q -n 100 -c 4 "http://127.0.0.1:$port/large.txt"
	kill -TERM "$(cat "$at/pid")"
	wait $server
}

suite() { serve 22192; }

results() {
	sed -nE -e 's/^(Complete requests|Document Path|Document Length|Failed requests): +/pass \1 /p' \
		-e 's/^Non-2xx responses: +/fail not found /p'
}

load() {
	# shellcheck disable=SC2086
	serve 22193 $RECORD
}
