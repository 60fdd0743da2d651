#!/usr/bin/env bash
# Proves the README's two commands on a Debian 12 on which nothing was ever installed: makes a
# minimal root with debootstrap, copies the tree into it and runs them there.
#
#   tests/integration/fresh_root.sh                           in build/fresh-root
#   tests/integration/fresh_root.sh DIR                       in DIR, which is replaced
#   tests/integration/fresh_root.sh DIR 'scripts/setup.sh'    other commands than the two
#
# Needs root, debootstrap and git. Mounts and processes live in namespaces of their own and end with
# the script however it ends, so nothing stays mounted and DIR can always be removed.
set -euo pipefail
cd "$(dirname "$0")/../.."

suite=bookworm
root=$(realpath -m "${1:-build/fresh-root}")
commands=("${@:2}")
((${#commands[@]})) || commands=('scripts/demo.sh' 'scripts/test.sh')
mark=.headroom-fresh-root

die() {
  printf 'fresh_root.sh: %s\n' "$*" >&2
  exit 1
}
((EUID == 0)) || die "needs root"
for tool in debootstrap git unshare; do
  command -v "$tool" >/dev/null || die "needs $tool"
done
[[ ! -e $root || -e $root/$mark || -z $(ls -A "$root") ]] ||
  die "$root exists and was not made by this script; remove it or name another"

if [[ ${FRESH_ROOT_INSIDE:-} != "$root" ]]; then
  export FRESH_ROOT_INSIDE=$root
  exec unshare --mount --pid --fork --kill-child "$0" "$root" "${commands[@]}"
fi

# The package sources of this machine, whatever form they are written in.
sources=$(apt-get indextargets --format "deb \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
  'Created-By: Packages' | sort -u | awk -v suite="$suite" '$3 ~ "^" suite')
mirror=$(awk -v suite="$suite" '$3 == suite && $4 == "main" { print $2; exit }' <<<"$sources")
[[ -n $mirror ]] || die "this machine's apt knows no source of $suite"
include=()
[[ $sources != *https:* ]] || include=(--include=ca-certificates)

echo "== debootstrap $suite from $mirror"
rm -rf --one-file-system "$root"
mkdir -p "$root"
touch "$root/$mark"
debootstrap --variant=minbase "${include[@]}" "$suite" "$root" "$mirror" >"$root/debootstrap.log" 2>&1 ||
  { tail -n 20 "$root/debootstrap.log" >&2 && die "debootstrap failed"; }

# Proxies and other settings of how this machine fetches packages; not its hooks.
printf '%s\n' "$sources" >"$root/etc/apt/sources.list"
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
  if grep -qsE '^[[:space:]]*Acquire' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
done
cp /etc/resolv.conf /etc/hosts "$root/etc/"

mkdir "$root/headroom"
git ls-files -z --cached --others --exclude-standard |
  tar --create --null --files-from=- --ignore-failed-read 2>/dev/null |
  tar --extract --directory="$root/headroom"

# A mount point, as the root of a machine is: `ip netns` needs that.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"

proxies=()
for name in http_proxy https_proxy no_proxy; do
  [[ -z ${!name:-} ]] || proxies+=("$name=${!name}")
done
for command in "${commands[@]}"; do
  echo "== in the fresh root: $command"
  start=$SECONDS
  env -i "${proxies[@]}" CI=true HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" bash -c "cd /headroom && $command" </dev/null ||
    die "'$command' failed in the fresh root"
  echo "== passed in $((SECONDS - start)) s: $command"
done
