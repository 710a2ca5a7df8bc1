# shellcheck shell=bash
# The same with longer paragraphs: what Wget's log depends on are the tags.
# shellcheck source=bench/cuts.d/wget.sh
. "$here/cuts.d/wget.sh"
title="Wget 1.21, 30 tags a page"
loads="long long-two"
