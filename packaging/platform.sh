#!/usr/bin/env bash
# Builds the wheel and the npm package of one platform into a folder:
#
#   packaging/platform.sh OUT PLATFORM TARGET [PROFILE]
#
# PLATFORM is npm's name and TARGET Rust's, as packaging/npm/platforms.json pairs them. PROFILE is
# `release`, unless given.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
platform=$2 target=$3 profile=${4:-release}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--profile "$profile")
folder=${CARGO_TARGET_DIR:-target}
# The target of this machine needs no folder of its own.
if [ "$target" != "$(rustc -vV | sed -n 's/^host: //p')" ]; then
    options+=(--target "$target")
    folder=$folder/$target
fi
case $profile in
dev) folder=$folder/debug ;;
*) folder=$folder/$profile ;;
esac
program=$folder/acp-bindgen
case $target in
*-linux-musl) options+=(--compatibility manylinux2014 musllinux_1_2) ;;
*-linux-*) options+=(--compatibility linux) ;;
*-windows-*) program+=.exe ;;
esac
maturin build --quiet --locked --out "$out" "${options[@]}"
node packaging/npm/pack.mjs "$out" "$platform" "$program"
