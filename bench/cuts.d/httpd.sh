# shellcheck shell=bash
# Apache httpd as the paper builds it: with the modules of a small server in it, and with its own
# copies of apr and apr-util; zlib and PCRE2 are libraries.  Eight clients fetch the compressed
# index of a folder by an alias: all three modules have to do with that.
title="Apache httpd 2.4"
figure=5
needs="libpcre2-dev libexpat1-dev zlib1g-dev apache2-utils autoconf libtool libtool-bin"
exe=inst/bin/httpd
targets="mod_alias mod_dir mod_deflate whole"
loads="4000x256 40x256"
verified=400x256
profiled=mod_deflate
profiles="none 40x256 4000x25 4000x256"
paper=([mod_alias]="< 10 MB, < 1 %" [mod_dir]="< 10 MB, < 1 %" [mod_deflate]="28.80 MB, < 1 %"
	[whole]="about 1 GB, 8 %" [profiled:none]="1042.61 MB" [profiled:40x256]="28.80 MB"
	[profiled:4000x25]="29.15 MB" [profiled:4000x256]="28.80 MB")

cut_options() {
	case $1 in
	whole) echo "--target whole" ;;
	*) echo "--target $1.c" ;;
	esac
}

build() {
	cp -a "$(fetch --upstream apache2)/." .
	cp -a "$(fetch --upstream apr)" srclib/apr
	cp -a "$(fetch --upstream apr-util)" srclib/apr-util
	./configure --prefix="$PWD/inst" --with-included-apr --with-mpm=event --enable-mods-static=few \
		--enable-deflate --disable-so --disable-shared
	make -j2
	make install
	cat docs/manual/*.html.en docs/manual/mod/*.html.en >inst/text
}

# work REQUESTSxKILOBYTES COMMAND...
work() {
	local requests=${1%x*} port=28147 server status i
	mkdir -p pages htdocs
	head -c $((${1#*x} * 1024)) "$built/inst/text" >pages/index.html
	cat >httpd.conf <<-CONF
		ServerRoot $PWD
		Listen 127.0.0.1:$port
		ServerName localhost
		PidFile $PWD/pid
		DocumentRoot $PWD/htdocs
		Alias /docs $PWD/pages
		ErrorLog $PWD/error.log
		CustomLog $PWD/access.log "%h %r %>s %b"
		TypesConfig /dev/null
		AddType text/html .html
		DirectoryIndex index.html
		AddOutputFilterByType DEFLATE text/html
		<Directory $PWD>
		Require all granted
		</Directory>
	CONF
	# It ends its whole process group.  As root it stays that, since no other user is named: a thread
	# of another one could not make its log.
	setsid "${@:2}" -X -f "$PWD/httpd.conf" &
	server=$!
	for ((i = 0; i < 600; i++)); do
		[ -s pid ] && (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break
		sleep 0.1
	done
	ab -q -n "$requests" -c 8 -H 'Accept-Encoding: gzip' "http://127.0.0.1:$port/docs/" >ab.log
	sed -n 's/^Requests per second: *\([0-9.]*\).*/rate \1 requests\/s/p' ab.log
	kill -TERM "$(cat pid)"
	wait $server
	status=$?
	cat ab.log error.log
	[ $status = 0 ] && grep -q '^Failed requests: *0$' ab.log && ! grep -q ^Non-2xx ab.log &&
		grep -q "^Complete requests: *$requests\$" ab.log && [ "$(grep -c '" 200\| 200 ' access.log)" -ge "$requests" ]
}
