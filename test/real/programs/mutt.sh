# shellcheck shell=bash
package=mutt
system=automake
needs="libncurses-dev libssl-dev libidn2-dev zlib1g-dev libtokyocabinet-dev xsltproc"
exes="mutt mutt_dotlock pgpewrap"
config=config.h
# The release as upstream made it: no automake is asked for again.
patched=no
note="It has no suite: mail is sent in batch mode, and mailboxes are read,
searched, sorted, changed and converted by pushed keys on a pseudo-terminal;
what it writes is compared between the columns. IMAP, POP and SMTP are built,
not tested."

build() {
	./configure --enable-imap --enable-pop --enable-smtp --enable-sidebar --enable-hcache \
		--enable-compressed --with-ssl --with-zlib --with-tokyocabinet \
		--without-gdbm --without-bdb --without-qdbm --disable-doc --disable-nls \
		--with-mailpath=/var/mail --with-domain=example.org
	make -j"$JOBS"
}

# What differs from run to run, or from folder to folder, is taken out.
normal() {
	sed -E -e '/^(Date|Message-ID): /d' -e 's/^From (\S+) .*/From \1/' \
		-e 's/boundary="[^"]*"/boundary=B/' -e 's/^--[A-Za-z0-9+\/]{12,}(--)?$/--B\1/' \
		-e "s|$top|TOP|g" "$@"
}

# Each test starts in a new folder with a copy of the mailbox.
fresh() {
	cd "$(mktemp -d "$TMPDIR/mutt.XXXXXX")" || exit
	mkdir folder out
	cp "$DATA/mutt/mbox" folder/mbox
	printf '#!/bin/sh\n{ echo "args: $*"; cat; } >out/mail\n' >sendmail
	printf '#!/bin/sh\necho "added by the editor" >>"$1"\n' >editor
	chmod +x sendmail editor
}

mutt() { "$top/mutt" -n -F "$DATA/mutt/rc" "$@"; }

# batch NAME ARGUMENTS…: a message from standard input, as sendmail got it.
batch() {
	local name=$1
	shift
	(
		fresh
		printf 'attached\n\303\244\n' >attachment.txt
		head -c 300 /dev/zero >binary
		printf 'a,b\n' >table.csv
		printf 'To: d@example.org\nSubject: draft\nX-Own: kept\n\nDraft body.\n' >draft
		printf 'Body of the message.\nFrom the second line.\n.\n' | timeout 30 "$top/mutt" -n \
			-F "$DATA/mutt/rc" -e "set dotlock_program=\"$top/mutt_dotlock\"" "$@"
		echo "exit $?" >>out/mail
		normal out/mail >out/normal
		output "send: $name" cat out/normal
	)
}

# keys NAME KEYS [MAILBOX [SETTING]]: what is in out/ and folder/ afterwards.
keys() {
	local name=$1 keys=$2 box=${3:-folder/mbox} setting=${4:-set sort=mailbox-order}
	(
		fresh
		TERM=vt100 timeout -k 5 30 script -qec "'$top/mutt' -n -F '$DATA/mutt/rc' \
			-e '$setting dotlock_program=\"$top/mutt_dotlock\"' -e 'push \"$keys<quit>\"' -f '$box'" /dev/null \
			</dev/null >screen 2>&1
		status=$?
		output "keys: $name" bash -c "echo exit $status; $(declare -f normal); top='$top'
			find out folder -type f | sort | while read -r f; do
				# A maildir's file names hold time and process.
				case \$f in */cur/* | */new/*) echo \"== \${f%/*}\" ;; *) echo \"== \$f\" ;; esac
				normal \"\$f\"
			done"
	)
}

suite() {
	top=$PWD
	shell version './mutt -v | grep -q "^Mutt 2"'
	shell variables "./mutt -n -F '$DATA/mutt/rc' -D | grep -q '^sort='"
	(fresh && output query "$top/mutt" -n -F "$DATA/mutt/rc" -Q sort -Q from -Q editor -Q charset)
	(fresh && output alias "$top/mutt" -n -F "$DATA/mutt/rc" -e 'alias al alice@example.org' -A al)
	(fresh && check 'no new mail' bash -c '! "$0/mutt" -n -F "$1" -Z -f /dev/null' "$top" "$DATA/mutt/rc")

	batch plain -s 'a subject' a@example.org
	batch copies -s 'copies' -c b@example.org -b c@example.org -- a@example.org
	batch attachments -s 'files' -a attachment.txt binary table.csv -- a@example.org
	batch 'encoded header' -s $'Gr\303\274\303\237e' -- $'B\303\266b <a@example.org>'
	batch 'long subject' -s "$(printf 'word %.0s' {1..40})" -- a@example.org
	batch draft -H draft -- a@example.org
	batch include -i attachment.txt -s included -- a@example.org
	batch 'no recipient' -s none
	batch 'own header' -e 'my_hdr X-Test: yes' -s hdr -- a@example.org

	for n in 1 2 3 4 5 6; do
		keys "decode $n" "<jump>$n<enter><pipe-message>cat >out/message<enter>"
	done
	keys 'raw source' '<jump>3<enter><pipe-message>cat >out/message<enter>' '' 'set pipe_decode=no'
	for order in threads subject from date size to reverse-date; do
		keys "sort by $order" '<tag-pattern>~A<enter><tag-prefix><pipe-message>cat >out/all<enter>' \
			folder/mbox "set sort=$order"
	done
	for pattern in '~s report' '~f carol' '~b flowed' '~t list@' '!~f carol ~d <4/1/2018' \
		'~h X-Label' '~y work' '~(~f alice)' '~z >400' '~x 3@' '~s Gr..e' '(~f bob | ~f eve)' '~X 1'; do
		keys "search $pattern" "<tag-pattern>$pattern<enter><tag-prefix><copy-message><kill-line>folder/found<enter>"
	done
	keys delete '<delete-pattern>~f carol<enter><sync-mailbox>'
	keys 'flag and old' '<jump>2<enter><flag-message><jump>4<enter><toggle-new><sync-mailbox>'
	keys 'edit' '<jump>1<enter><edit><sync-mailbox>'
	keys 'save attachment' '<jump>3<enter><view-attachments><last-entry><save-entry><kill-line>out/saved<enter><exit>'
	keys 'limit' '<limit>~f carol<enter><tag-pattern>~A<enter><tag-prefix><save-message><kill-line>folder/c<enter><limit>all<enter><sync-mailbox>'
	keys 'decode-copy' '<jump>2<enter><decode-copy><kill-line>folder/d<enter>'
	keys 'break and link threads' '<jump>5<enter><break-thread><sync-mailbox>' folder/mbox 'set sort=threads'
	for type in mbox MMDF MH Maildir; do
		keys "convert to $type" '<tag-pattern>~A<enter><tag-prefix><copy-message><kill-line>folder/other<enter><change-folder>folder/other<enter><delete-pattern>~f eve<enter><sync-mailbox>' \
			folder/mbox "set mbox_type=$type"
	done
	keys 'header cache' '<tag-pattern>~A<enter><tag-prefix><copy-message><kill-line>folder/md<enter><change-folder>folder/md<enter><change-folder>folder/mbox<enter><change-folder>folder/md<enter><tag-pattern>~f carol<enter><tag-prefix><pipe-message>cat >out/carol<enter>' \
		folder/mbox 'set mbox_type=Maildir header_cache=./cache sort=date'
	keys reply '<jump>3<enter><reply><enter><enter><send-message>' folder/mbox 'set autoedit=no include=yes'
	keys forward '<jump>2<enter><forward-message>x@example.org<enter><enter><send-message>' folder/mbox 'set mime_forward=yes'
	keys 'pager' '<jump>3<enter><display-message><next-page><search>base64<enter><exit>'
}

results() { results_automake; }
