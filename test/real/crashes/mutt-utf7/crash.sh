# mutt 1.4.2 takes room for two characters where one of a folder's name becomes three and a half (EFF, table 2)
# shellcheck shell=bash disable=SC2034
package=mutt version=2.2.12 patched=no
exe=mutt
signal=SIGSEGV
cause=main # utf8_to_utf7() is over when the heap that it damaged is used
build() {
	./configure --enable-imap --disable-nls --disable-doc --without-ssl --without-idn --without-idn2 \
		--with-mailpath=/var/mail --with-domain=example.org && make -j"$JOBS"
}
# A server that knows its visitor, and takes whatever is asked for as done.
setup() {
	python3 -c '
import os, signal, socket, sys
server = socket.create_server(("127.0.0.1", 0))
open("port", "w").write(str(server.getsockname()[1]))
if os.fork():
	sys.exit()
os.setsid()
for fd in 0, 1, 2:
	os.dup2(os.open("/dev/null", os.O_RDWR), fd)
signal.alarm(300)
stream = server.accept()[0].makefile("rw", newline="\r\n")
def say(line):
	stream.write(line + "\r\n")
	stream.flush()
say("* PREAUTH [CAPABILITY IMAP4rev1] ready")
for line in stream:
	tag, command = line.split()[:2]
	if command == "CAPABILITY":
		say("* CAPABILITY IMAP4rev1")
	if command == "LIST":
		say("* LIST (\\Noselect) \"/\" \"\"")
	say(tag + " OK done")' &&
		echo text >stdin &&
		arguments=(-n -F /dev/null -e 'set charset=utf-8 sendmail=/bin/true copy=yes' -e
			"set record=\"imap://user@127.0.0.1:$(cat port)/$(printf '\x10&%.0s' {1..16})\"" -s subject user@example.org)
}
