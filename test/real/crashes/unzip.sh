# shellcheck shell=bash disable=SC2034,SC2086,SC2016
build() {
	make -f unix/Makefile unzips CC="$CC" LD="$CC" LF2= \
		CF="-I. -DUNIX -DLARGE_FILE_SUPPORT -DUNICODE_SUPPORT -DUNICODE_WCHAR -DUTF8_MAYBE_NATIVE -DNO_LCHMOD"
}
