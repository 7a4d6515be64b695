#!/bin/bash
# pedestrians_cli_test.sh PROGRAM: the program as users run it: its help, its
# exit status, its errors, and a run with the generated clip.
set -uo pipefail

readonly program=$1
failures=0

# expect STATUS TEXT ARGS...: runs the program.
expect() {
  local status=$1 text=$2 output code=0
  shift 2
  output=$("$program" "$@" 2>&1 </dev/null) || code=$?
  if [[ $code != "$status" || $output != *"$text"* ]]; then
    echo "FAILED: pedestrians $* ended with $code, expected $status and \"$text\":"
    echo "$output"
    failures=$((failures + 1))
  fi
  if [[ $output == *"*** Check failure"* || $output == *"    @ "* ]]; then
    echo "FAILED: pedestrians $* prints a stack trace:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

readonly folder=${TEST_TMPDIR:?}
# Without a cache and a network, the clip is generated.
export HOME=$folder XDG_CACHE_HOME=$folder/cache
mkdir "$folder/bin"
printf '#!/bin/bash\nexit 1\n' >"$folder/bin/apt-get"
chmod +x "$folder/bin/apt-get"
export PATH=$folder/bin:$PATH

expect 0 "usage: pedestrians" --help
expect 2 "--nonsense" --nonsense
expect 2 "unexpected argument" video.avi
expect 2 "--threads" --threads=-1
expect 2 "realtime" --realtime=perhaps
expect 2 "--page is a port from 0 to 65535, not 99999" --page=99999
expect 2 "--page is a port" --page=-2
expect 2 "--page cannot be" --page=eighty
expect 1 "/no/such/video.avi" --input_video_path=/no/such/video.avi
expect 1 "/no/such/graph.pbtxt" --graph=/no/such/graph.pbtxt --input_video_path=x.avi
# `bazel run` starts the program in another folder than the user's.
BUILD_WORKING_DIRECTORY=/no/such expect 1 "/no/such/mine.pbtxt" --graph=mine.pbtxt \
  --input_video_path=x.avi
BUILD_WORKING_DIRECTORY=/no/such expect 1 "/no/such/mine.avi" --input_video_path=mine.avi
echo "this is no video" >"$folder/corrupt.avi"
expect 1 "corrupt.avi" --input_video_path="$folder/corrupt.avi" \
  --output_video_path="$folder/out.avi"
expect 1 'odd\x1b[31m.avi"' --input_video_path=$'/no/odd\e[31m.avi'
expect 2 "overwrite" --input_video_path="$folder/corrupt.avi" \
  --output_video_path="$folder/corrupt.avi"

readonly member=usr/share/doc/opencv-doc/examples/data/vtest.avi
readonly generated=$folder/cache/syncline/pedestrians/walkers.avi
if [[ ! -r /$member ]]; then
  # The video is generated. Ctrl-C gives the exit status that shells use, and a
  # complete file.
  "$program" --output_video_path="$folder/cut.avi" >"$folder/log" 2>&1 &
  readonly pid=$!
  for ((i = 0; i < 600; ++i)); do
    [[ ! -s $folder/cut.avi ]] || break
    sleep 0.1
  done
  kill -TERM "$pid"
  wait "$pid"
  readonly ended_with=$?
  if [[ $ended_with != 143 || ! -s $folder/cut.avi || ! -s $generated ]]; then
    echo "FAILED: a SIGTERM ended it with $ended_with:"
    cat "$folder/log"
    failures=$((failures + 1))
  fi
  expect 0 "frames " --realtime=false --input_video_path="$folder/cut.avi" \
    --output_video_path="$folder/out.avi"

  # A file that was cut off.
  head -c 150000 "$generated" >"$folder/short.avi"
  expect 1 "allow_truncated" --realtime=false --input_video_path="$folder/short.avi" \
    --output_video_path="$folder/out.avi"
  expect 0 "boxes " --realtime=false --allow_truncated \
    --input_video_path="$folder/short.avi" --output_video_path="$folder/out.avi"

  # The next run takes what is in the cache, here a video that is short.
  cp "$folder/out.avi" "$generated"
  expect 0 "generated, as" --realtime=false --output_video_path="$folder/again.avi"
  [[ -s $folder/again.avi ]] || { echo "FAILED: no output"; failures=$((failures + 1)); }

  # If the package can be fetched, its video is unpacked into the cache, once.
  readonly cached=$folder/fetched/syncline/pedestrians/vtest.avi
  mkdir -p "$folder/deb/DEBIAN" "$folder/deb/$(dirname "$member")"
  printf '%s\n' "Package: opencv-doc" "Version: 1" "Architecture: all" \
    "Maintainer: nobody" "Description: a video" >"$folder/deb/DEBIAN/control"
  cp "$folder/corrupt.avi" "$folder/deb/$member"
  dpkg-deb --build "$folder/deb" "$folder/opencv-doc_1_all.deb" >"$folder/log" 2>&1 ||
    cat "$folder/log"
  printf '#!/bin/bash\ncp "%s" .\n' "$folder/opencv-doc_1_all.deb" >"$folder/bin/apt-get"
  XDG_CACHE_HOME=$folder/fetched expect 1 "$cached" --realtime=false
  cmp "$folder/corrupt.avi" "$cached" || failures=$((failures + 1))
  printf '#!/bin/bash\nexit 1\n' >"$folder/bin/apt-get"
  XDG_CACHE_HOME=$folder/fetched expect 1 "$cached" --realtime=false
fi
expect 1 "/no/such/folder" --realtime=false --input_video_path="$generated" \
  --output_video_path=/no/such/folder/out.avi

exit $((failures > 0))
