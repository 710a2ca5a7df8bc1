# shellcheck shell=bash disable=SC2034,SC2086,SC2016
build() {
	./configure --disable-shared --without-python --without-threads --without-zlib --without-lzma --without-icu \
		--without-iconv --disable-dependency-tracking && make -j2 libxml2.la xmllint xmlcatalog
}
