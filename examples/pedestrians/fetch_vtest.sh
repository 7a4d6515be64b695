#!/bin/bash
# fetch_vtest.sh FILE: fetches vtest.avi from Debian's package opencv-doc. FILE
# is complete, or it does not exist.
set -euo pipefail

readonly member=./usr/share/doc/opencv-doc/examples/data/vtest.avi
target=$(realpath -- "$1")
folder=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$folder"' EXIT

if [[ -r /${member#./} ]]; then
  cp "/${member#./}" "$folder/vtest.avi"
else
  cd "$folder"
  # apt downloads as another user, who may not write here.
  timeout 600 apt-get -q -o APT::Sandbox::User=root download opencv-doc >apt.log 2>&1 </dev/null ||
    { tail -n 3 apt.log >&2; exit 1; }
  dpkg-deb --fsys-tarfile opencv-doc_*.deb | tar -xO "$member" >vtest.avi
fi
[[ -s $folder/vtest.avi ]]
mv "$folder/vtest.avi" "$target"
