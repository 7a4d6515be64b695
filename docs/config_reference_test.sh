#!/bin/bash
# The page agrees with the .proto files.
set -euo pipefail
python3 docs/config_reference.py --check
