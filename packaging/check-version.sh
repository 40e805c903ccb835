#!/usr/bin/env bash
# Fails unless a tag is `v` and the version of Cargo.toml, and CHANGELOG.md tells of that version:
# packaging/check-version.sh TAG
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
if [ "$1" != "v$version" ]; then
    echo "error: the tag is $1, and the version in Cargo.toml $version" >&2
    exit 1
fi
if ! grep -qx "## $version" CHANGELOG.md; then
    echo "error: CHANGELOG.md has no heading \"## $version\"" >&2
    exit 1
fi
