#!/bin/bash
# The page says what the .proto files say.
set -euo pipefail
python3 docs/config_reference.py --check
