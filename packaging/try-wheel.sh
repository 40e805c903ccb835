#!/usr/bin/env bash
# Installs the wheel in a folder, and fails unless its command writes what is committed under
# generated/: packaging/try-wheel.sh FOLDER
set -euo pipefail
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python -m pip install --quiet --no-index --no-deps "$folder"/*.whl
acp-bindgen --version
for config in generated/*.toml; do
    acp-bindgen check --config "$config"
done
