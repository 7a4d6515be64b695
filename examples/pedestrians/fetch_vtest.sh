#!/bin/bash
# fetch_vtest.sh FILE: brings vtest.avi out of Debian's package opencv-doc. FILE
# is there as a whole or not at all.
set -euo pipefail

readonly member=./usr/share/doc/opencv-doc/examples/data/vtest.avi
target=$(realpath -- "$1")
folder=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$folder"' EXIT

if [[ -r /${member#./} ]]; then
  cp "/${member#./}" "$folder/vtest.avi"
else
  cd "$folder"
  # apt wants to download as a user of its own, who may not write here.
  timeout 600 apt-get -q -o APT::Sandbox::User=root download opencv-doc >apt.log 2>&1 </dev/null ||
    { tail -n 3 apt.log >&2; exit 1; }
  dpkg-deb --fsys-tarfile opencv-doc_*.deb | tar -xO "$member" >vtest.avi
fi
[[ -s $folder/vtest.avi ]]
mv "$folder/vtest.avi" "$target"
