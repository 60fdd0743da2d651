# Functions that the scripts beside this file share. Sourced, not run.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# build_preset NAME: configures and builds one of CMakePresets.json into build/NAME.
# HEADROOM_JOBS limits the compilers that run at once.
build_preset() {
  say "build: $1"
  cmake --preset "$1" --log-level=WARNING >/dev/null
  cmake --build --preset "$1" --parallel "${HEADROOM_JOBS:-$(nproc)}"
}

# make_hugepages: reserves 1,024 pages of 2 MB and mounts hugetlbfs, as far as this machine lets us.
# It never fails: Headroom runs on ordinary pages too, only slower.
make_hugepages() {
  local wanted=1024 pool=/sys/kernel/mm/hugepages/hugepages-2048kB have
  if [[ ! -r $pool/nr_hugepages ]]; then
    say "hugepages: the kernel offers none of 2 MB; ordinary pages are used"
    return 0
  fi
  have=$(<"$pool/nr_hugepages")
  if ((have < wanted)); then
    { echo "$wanted" >"$pool/nr_hugepages"; } 2>/dev/null || true
    have=$(<"$pool/nr_hugepages")
  fi
  if ((have == 0)); then
    say "hugepages: none could be reserved (it takes root and free memory); ordinary pages are used"
    return 0
  fi
  if ! grep -q ' hugetlbfs ' /proc/mounts; then
    { mkdir -p /dev/hugepages && mount -t hugetlbfs hugetlbfs /dev/hugepages; } 2>/dev/null ||
      say "hugepages: hugetlbfs could not be mounted at /dev/hugepages"
  fi
  say "hugepages: $have pages of 2 MB, $(<"$pool/free_hugepages") of them free"
}
