#!/bin/bash
# A replay has no locale but "C", and yet shows what the recorded run did.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "C" locales C
LC_ALL=C.UTF-8 replays "C.UTF-8" locales

# One with a comma, an order of its own and translations, made for this.
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >.out 2>&1; then
	export LOCPATH=$work LC_ALL=de_DE.UTF-8
	prepare() {
		command -v msgfmt >/dev/null || return
		mkdir -p catalogues/de/LC_MESSAGES
		printf '%s\n' 'msgid ""' 'msgstr "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"' \
			'msgid "hello"' 'msgstr "Grüß Gott"' 'msgid "good bye"' 'msgstr "Auf Wiedersehen"' \
			'msgid "one file"' 'msgid_plural "many files"' 'msgstr[0] "eine Datei"' \
			'msgstr[1] "viele Dateien"' |
			msgfmt -o catalogues/de/LC_MESSAGES/greet.mo -
	}
	replays "de_DE.UTF-8" locales
	flags=-D_FORTIFY_SOURCE=2 replays "de_DE.UTF-8, checked functions" locales
	like "it was German" "$(LC_ALL=C cat "$work/locales-O2/replay.out")" "*Grü* Gott*viele Dateien*"
	# One whose classes are not those of "C".
	localedef -i de_DE -f ISO-8859-1 "$work/de_DE.ISO-8859-1" >.out 2>&1
	LC_ALL=de_DE.ISO-8859-1 replays "de_DE.ISO-8859-1" locales
else
	skip "de_DE.UTF-8" "localedef cannot make it here"
fi
finish
