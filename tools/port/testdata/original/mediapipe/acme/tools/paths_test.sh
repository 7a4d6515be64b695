#!/bin/bash
# Whether mediapipe/acme is where its scripts look for it.
set -e
cmp "$1" mediapipe/acme/graphs/labels.txt
cmp "$1" "$PWD/mediapipe/acme/graphs/labels.txt"
