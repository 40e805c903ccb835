#!/usr/bin/env bash
# Builds the wheel that carries the command into a folder: packaging/wheel.sh OUT [MATURIN OPTIONS].
# A release build, unless the options say otherwise.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- --release
cd "$(dirname "${BASH_SOURCE[0]}")/.."
maturin build --locked --out "$out" "$@"
