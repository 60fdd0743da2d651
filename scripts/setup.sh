#!/usr/bin/env bash
# Installs what Headroom needs from Debian 12. Does nothing when everything is there already.
#
#   scripts/setup.sh           to build, run and test
#   scripts/setup.sh --check   and to check the source format, as scripts/test.sh does
#   scripts/setup.sh --dev     and to fuzz and lint (clang, clang-tidy)
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# libdpdk-dev depends on every driver package, so the drivers that DPDK opens at run time
# (net_pcap, net_null, net_ring, net_af_xdp, mempool_ring, ...) come with it.
packages=(
  cmake ninja-build g++ pkgconf
  libdpdk-dev libpcap-dev
  libssl-dev libboost-program-options-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev libgmock-dev
  dpdk-dev python3 python3-yaml python3-matplotlib iproute2 tshark wireshark-common graphviz
  iputils-ping iperf3 ethtool traceroute
)
for option in "$@"; do
  case $option in
    --check) packages+=(clang-format-14) ;;
    --dev) packages+=(clang-format-14 clang clang-format clang-tidy libclang-rt-14-dev) ;;
    *) die "unknown option '$option' (there are --check and --dev)" ;;
  esac
done

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

command -v apt-get dpkg-query >/dev/null ||
  die "this system has no apt-get; install by other means: ${packages[*]}"
missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    die "packages are missing and neither root nor sudo is here. As root, run: apt-get install ${missing[*]}"
  as_root=(sudo)
fi

# apt is talkative: what it says goes to a file, and is shown when it fails.
log=build/setup.log
mkdir -p build
: >"$log"
quiet() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >>"$log" 2>&1 ||
    { tail -n 30 "$log" >&2 && die "'apt-get $1' failed (all of its output: $log)"; }
}

say "install: ${missing[*]}"
quiet update
quiet install --no-install-recommends "${missing[@]}"
