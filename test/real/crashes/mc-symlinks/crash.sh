# mc 4.5.55 puts where a link of an archive leads into a buffer on the stack, however long it is (CVE-2003-1023; EFF, table 2)
# shellcheck shell=bash disable=SC2034
package=mc version= patched=no
exe=src/mc
signal=SIGSEGV
cause=vfs_s_resolve_symlink
build() {
	./configure --with-screen=slang --disable-nls --without-x --enable-vfs-sftp=no && make -j"$JOBS"
}
setup() {
	mkdir home
	export MC_DATADIR=$work/fixed/misc MC_PROFILE_ROOT=$PWD/home
	arguments=(-u -d -a "$PWD/input.tar/utar://folder" "$PWD")
	python3 -c '
import tarfile
with tarfile.open("input.tar", "w", format=tarfile.GNU_FORMAT) as archive:
	folder = tarfile.TarInfo("folder")
	folder.type = tarfile.DIRTYPE
	folder.mode = 0o755
	archive.addfile(folder)
	link = tarfile.TarInfo("folder/link")
	link.type = tarfile.SYMTYPE
	link.linkname = "x" * 200000
	archive.addfile(link)'
}
version_option=-V
keys='\e0 \n'
