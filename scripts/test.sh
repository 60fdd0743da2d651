#!/usr/bin/env bash
# Builds and tests everything: the source format, then all tests in the release build, and those of the
# data path in the sanitizer build. It goes on after a failure, shows everything, and fails at the end.
#
#   scripts/test.sh         at most 25 minutes on two cores
#   scripts/test.sh --all   and fuzzes every parser for FUZZ_SECONDS (600)
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
exec </dev/null

all=false
for option in "$@"; do
  case $option in
    --all) all=true ;;
    *) die "unknown option '$option' (there is --all)" ;;
  esac
done
failed=0

check_format() {
  say "source format"
  find lib elements tests -name '*.hh' -print0 -o -name '*.cc' -print0 |
    xargs -0 -r clang-format-14 --dry-run --Werror
}

# fuzz_one PROGRAM SECONDS: new inputs go to build/fuzz/corpus; the seeds are only read.
# shellcheck disable=SC2317 # xargs calls it
fuzz_one() {
  local name=${1##*/fuzz_} corpus
  corpus=(build/fuzz/corpus/"$name")
  mkdir -p "${corpus[0]}" build/fuzz/found
  [[ ! -d tests/fuzz/corpus/$name ]] || corpus+=(tests/fuzz/corpus/"$name")
  if "$1" -max_total_time="$2" -timeout=10 -artifact_prefix=build/fuzz/found/"$name"- \
    "${corpus[@]}" >"$1.log" 2>&1; then
    echo "passed: fuzz $name: $(tail -n 1 "$1.log")"
  else
    tail -n 60 "$1.log"
    echo "failed: fuzz $name (its input is in build/fuzz/found, all of its output in $1.log)"
  fi
}
export -f fuzz_one

fuzz_all() {
  local seconds=${FUZZ_SECONDS:-600} programs results
  programs=$(find build/fuzz -maxdepth 1 -type f -executable -name 'fuzz_*' | sort)
  [[ -n $programs ]] || { echo "no fuzz programs in build/fuzz" && return 1; }
  say "fuzzing, $seconds seconds each: $(wc -w <<<"$programs") programs"
  # shellcheck disable=SC2016
  results=$(xargs -P "$(nproc)" -I{} bash -c 'fuzz_one "$1" "$2"' fuzz {} "$seconds" <<<"$programs" |
    tee /dev/stderr)
  echo "fuzz: $(grep -c '^passed: fuzz ' <<<"$results") passed," \
    "$(grep -c '^failed: fuzz ' <<<"$results") failed"
  ! grep -q '^failed: fuzz ' <<<"$results"
}

if $all; then scripts/setup.sh --check --dev; else scripts/setup.sh --check; fi
check_format || failed=1
build_preset release
build_preset asan
if $all; then
  build_preset fuzz
  fuzz_all || failed=1
fi
((failed == 0)) || say "failed: see above; the tests run all the same"
# Nothing is printed after these, so that CTest's summary ends the output.
ctest --preset release --no-tests=error || failed=1
ctest --preset asan --no-tests=error || failed=1
exit $failed
