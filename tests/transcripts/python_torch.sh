#!/usr/bin/env bash
# The Python package on PyTorch tensors, wherever PyTorch can be imported.
set -euo pipefail
FSATTN_PYTHON_TESTS=test_torch exec bash "$(dirname "$0")/python.sh"
