#!/usr/bin/env bash
# Compares a schema with what it was in another revision. The report goes to the job's summary and to
# a file; whether anything breaks is an output of the step. Fails only where there is no report.
#
# Takes COMMAND, SCHEMA, BASE, FAIL_ON and OPTIONS from the environment, as action.yml says.
set -euo pipefail
report=${RUNNER_TEMP:?}/acp-bindgen-diff.md
# Words, not a line of shell: nothing in them is expanded.
read -r -a command <<<"$COMMAND"
read -r -a options <<<"$OPTIONS"
schema=()
[ -z "$SCHEMA" ] || schema=("$SCHEMA")

status=0
"${command[@]}" diff ${schema[@]+"${schema[@]}"} --against "$BASE" --fail-on "$FAIL_ON" \
    --format markdown ${options[@]+"${options[@]}"} >"$report" || status=$?
case $status in
0) breaks=false ;;
1) breaks=true ;;
*)
    echo "::error::There is no comparison with $BASE; the lines above say why. If it is that the revision is not in the clone, check out with fetch-depth: 0."
    exit "$status"
    ;;
esac
cat "$report" >>"${GITHUB_STEP_SUMMARY:?}"
{
    echo "report=$report"
    echo "breaks=$breaks"
} >>"${GITHUB_OUTPUT:?}"
