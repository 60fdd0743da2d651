#!/usr/bin/env bash
# Takes PCI network cards from the kernel's driver for DPDK, and gives them back.
#
#   scripts/bind_nic.sh show                 the cards: driver, interface, link, NUMA node, use
#   scripts/bind_nic.sh bind ADDRESS         bind one to vfio-pci; what was there is remembered
#   scripts/bind_nic.sh unbind ADDRESS       take any driver off it, and let the kernel choose anew
#   scripts/bind_nic.sh undo [ADDRESS]       restore what was there before `bind`: of one, or of all
#
#   --driver NAME   bind to uio_pci_generic or igb_uio instead of vfio-pci
#   --noiommu       switch on vfio's mode without an IOMMU (unsafe: the card can write anywhere)
#   --force         bind a card even though the system uses it
#
# HEADROOM_ROOT is a directory with another `sys` and `proc`, for tests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

root=${HEADROOM_ROOT:-}
pci=$root/sys/bus/pci
state=$root/run/headroom/bind_nic
driver=vfio-pci
force=false
noiommu=false

warn() { printf '%s: warning: %s\n' "${0##*/}" "$*" >&2; }
link_name() { [[ ! -L $1 ]] || basename "$(readlink "$1")"; }
driver_of() { link_name "$pci/devices/$1/driver"; }
read_file() { cat "$1" 2>/dev/null || true; }

# put TEXT FILE: what it cannot write is explained.
put() {
  { printf '%s\n' "$1" >"$2"; } 2>/dev/null ||
    die "cannot write '$1' to $2: $( ((EUID == 0)) && echo "the kernel refuses; \`dmesg | tail\` says why" || echo "run it as root: sudo $0 ...")"
}

cards() {
  local path class
  for path in "$pci"/devices/*; do
    class=$(read_file "$path/class")
    [[ $class != 0x02* ]] || basename "$path"
  done
}

# Virtio's interfaces hang one level lower than others.
interfaces_of() {
  local path
  for path in "$pci/devices/$1"/net/* "$pci/devices/$1"/virtio*/net/*; do
    [[ ! -e $path ]] || basename "$path"
  done
}

# What the system uses an interface for; nothing if it does not. Link-local addresses (scope 20) do
# not count: every interface that is up has one.
uses_of() {
  local master
  awk -v name="$1" '$1 == name && $2 == "00000000" && $8 == "00000000" { everywhere = 1 }
    $1 == name && $2 != "00000000" { address = 1 }
    END { if (everywhere) print "default route"; if (address) print "addresses" }' \
    <(read_file "$root/proc/net/route")
  awk -v name="$1" '$10 == name && $1 ~ /^0+$/ && $2 == "00" { print "IPv6 default route"; exit }' \
    <(read_file "$root/proc/net/ipv6_route")
  awk -v name="$1" '$6 == name && $4 != "20" { print "IPv6 addresses"; exit }' \
    <(read_file "$root/proc/net/if_inet6")
  master=$(link_name "$root/sys/class/net/$1/master")
  [[ -z $master ]] || echo "part of $master"
}

uses_of_card() {
  local interface
  for interface in $(interfaces_of "$1"); do uses_of "$interface"; done | paste -sd, | sed 's/,/, /g'
}

link_of() {
  local state speed
  state=$(read_file "$root/sys/class/net/$1/operstate")
  speed=$(read_file "$root/sys/class/net/$1/speed")
  [[ $speed =~ ^[1-9] ]] && state+=" $speed Mb/s"
  echo "${state:--}"
}

show() {
  local card interface uses node
  local line='%-12s  %-15s  %-10s  %-14s  %4s  %s\n' was
  # shellcheck disable=SC2059
  printf "$line" address driver interface link NUMA use
  for card in $(cards); do
    interface=$(interfaces_of "$card" | paste -sd,)
    uses=$(uses_of_card "$card")
    if [[ -e $state/$card ]]; then
      was=$(sed -n 1p "$state/$card")
      uses+="${uses:+, }was bound to ${was:-nothing}"
    fi
    node=$(read_file "$pci/devices/$card/numa_node")
    # shellcheck disable=SC2059
    printf "$line" "$card" "$(driver_of "$card" | grep . || echo -)" \
      "${interface:--}" "$(link_of "${interface%%,*}")" "${node:--}" "${uses:--}"
  done
}

# card_address WORD: its long form, if there is such a network card.
card_address() {
  local address=${1,,}
  [[ $address =~ ^[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$ ]] && address=0000:$address
  [[ $address =~ ^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$ ]] ||
    die "'$1' is no PCI address such as 0000:03:00.0; '$0 show' lists the cards"
  [[ $(read_file "$pci/devices/$address/class") == 0x02* ]] ||
    die "there is no network card at $address; '$0 show' lists the cards"
  echo "$address"
}

# wait_for_driver ADDRESS NAME: until it is that; a driver may take a moment to start its card.
wait_for_driver() {
  local _
  for _ in {1..50}; do
    [[ $(driver_of "$1") != "$2" ]] || return 0
    sleep 0.1
  done
  return 1
}

# set_driver ADDRESS NAME OVERRIDE: takes its driver off and binds it to NAME, which is empty when the
# kernel is to choose.
set_driver() {
  local device=$pci/devices/$1
  put "$3" "$device/driver_override"
  if [[ -n $(driver_of "$1") ]]; then
    put "$1" "$device/driver/unbind"
    wait_for_driver "$1" "" || die "$1 keeps its driver $(driver_of "$1")"
  fi
  put "$1" "$pci/drivers_probe"
  [[ -z $2 ]] || wait_for_driver "$1" "$2" ||
    die "$1 did not get the driver $2 but '$(driver_of "$1")'; \`dmesg | tail\` says why"
}

load_driver() {
  [[ ! -d $pci/drivers/$driver ]] || return 0
  [[ -n $root ]] || modprobe "$driver" 2>/dev/null || true
  [[ -d $pci/drivers/$driver ]] ||
    die "the kernel has no driver $driver; as root: modprobe $driver"
}

allow_noiommu() {
  local switch=$root/sys/module/vfio/parameters/enable_unsafe_noiommu_mode
  if compgen -G "$root/sys/class/iommu/*" >/dev/null; then
    ! $noiommu || die "this machine uses an IOMMU: leave --noiommu out"
    return 0
  fi
  if [[ $driver != vfio-pci ]]; then
    warn "without an IOMMU a card can write anywhere in memory"
  elif $noiommu; then
    warn "without an IOMMU a card can write anywhere in memory"
    put 1 "$switch"
  elif [[ $(read_file "$switch") != Y ]]; then
    die "this machine uses no IOMMU. Enable VT-d or AMD-Vi in the BIOS and boot with intel_iommu=on" \
      "iommu=pt (on AMD iommu=pt), or accept that the card can write anywhere in memory: --noiommu"
  fi
}

# The others of its group must not have drivers of the kernel: they could reach what the card can.
check_group() {
  local path other
  for path in "$pci/devices/$1"/iommu_group/devices/*; do
    other=$(basename "$path")
    [[ -e $path && $other != "$1" ]] || continue
    case $(driver_of "$other") in
      "" | vfio-pci | pcieport) ;;
      *) warn "$other is in the same IOMMU group and has the driver $(driver_of "$other");" \
        "vfio refuses $1 until it has none: $0 bind $other" ;;
    esac
  done
}

bind() {
  local address=$1 old override uses
  old=$(driver_of "$address")
  if [[ $old == "$driver" ]]; then
    echo "$address is bound to $driver already"
    return 0
  fi
  uses=$(uses_of_card "$address")
  if [[ -n $uses ]]; then
    $force || die "the system uses $address ($(interfaces_of "$address" | paste -sd,): $uses);" \
      "take that away first, or lose it with --force"
    warn "the system loses $(interfaces_of "$address" | paste -sd,): $uses"
  fi
  load_driver
  allow_noiommu
  check_group "$address"
  override=$(read_file "$pci/devices/$address/driver_override")
  # The first state counts: binding to another of our drivers must not hide it.
  if [[ ! -e $state/$address ]]; then
    mkdir -p "$state" 2>/dev/null || die "cannot make $state; run it as root: sudo $0 ..."
    printf '%s\n%s\n' "$old" "$override" >"$state/$address"
  fi
  set_driver "$address" "$driver" "$driver"
  echo "$address is bound to $driver${old:+, was bound to $old}; '$0 undo $address' restores it"
}

unbind() {
  set_driver "$1" "" ""
  rm -f "$state/$1"
  echo "$1 is bound to $(driver_of "$1" | grep . || echo nothing)"
}

undo() {
  local address=$1 old override
  [[ -e $state/$address ]] || die "nothing is remembered of $address; '$0 unbind $address' lets the kernel choose"
  old=$(sed -n 1p "$state/$address")
  override=$(sed -n 2p "$state/$address")
  [[ $override != "(null)" ]] || override=""
  if [[ -z $old ]]; then
    # It had no driver: the kernel must not be asked to find one.
    [[ -z $(driver_of "$address") ]] || put "$address" "$pci/devices/$address/driver/unbind"
    put "$override" "$pci/devices/$address/driver_override"
  else
    set_driver "$address" "$old" "$override"
  fi
  rm "$state/$address"
  echo "$address is bound to ${old:-nothing} again"
}

undo_all() {
  local path any=false
  for path in "$state"/*; do
    [[ -e $path ]] || continue
    any=true
    undo "$(basename "$path")"
  done
  $any || echo "nothing to undo"
}

words=()
while (($#)); do
  case $1 in
    --force) force=true ;;
    --noiommu) noiommu=true ;;
    --driver)
      (($# > 1)) || die "--driver takes a name"
      driver=$2
      shift
      ;;
    -*) die "unknown option '$1' (there are --driver, --noiommu and --force)" ;;
    *) words+=("$1") ;;
  esac
  shift
done
case $driver in
  vfio-pci | uio_pci_generic | igb_uio) ;;
  *) die "'$driver' is none of vfio-pci, uio_pci_generic, igb_uio" ;;
esac
case "${words[0]:-}:${#words[@]}" in
  show:1) show ;;
  bind:2 | unbind:2 | undo:2)
    address=$(card_address "${words[1]}")
    "${words[0]}" "$address"
    ;;
  undo:1) undo_all ;;
  *) die "usage: $0 show | bind ADDRESS | unbind ADDRESS | undo [ADDRESS]   [--driver NAME] [--noiommu] [--force]" ;;
esac
