#!/bin/bash
# Whether mediapipe/acme is where its scripts look for it.
set -e
cmp "$1" tools/port/testdata/ported/acme/graphs/labels.txt
cmp "$1" "$PWD/tools/port/testdata/ported/acme/graphs/labels.txt"
