# bare_machine.sh: sourced by tests that run in a bare Debian 12, as root.
#
#   own_mounts "$0" "$root" "$@"   what is mounted goes when the test ends
#   bare_root "$root"              makes a minimal root file system there
#                                  (debootstrap --variant=minbase), unless the
#                                  folder holds one already
#   inside COMMAND                 runs it there, in $inside_folder
#   installed_packages             how many there are
inside_folder=/

# What is mounted is seen by this process only.
own_mounts() {
  [[ ${SYNCLINE_OWN_MOUNTS:-} == 1 ]] ||
    SYNCLINE_OWN_MOUNTS=1 exec unshare --mount --propagation private "$@"
}

bare_root() {
  root=$1
  if [[ ! -e $root/etc/debian_version ]]; then
    command -v debootstrap >/dev/null ||
      apt-get install -y -qq --no-install-recommends debootstrap
    echo "=== debootstrap into $root"
    debootstrap --variant=minbase bookworm "$root" >/dev/null
  fi
  # The same package sources and name servers as out here.
  rm -f "$root/etc/apt/sources.list"
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/apt/sources.list \
    /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d/*proxy*; do
    [[ ! -e $file ]] || cp --dereference "$file" "$root$file"
  done
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
}

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /bin/bash -c "cd $inside_folder && $1" </dev/null
}

installed_packages() { inside "dpkg-query --show | wc -l"; }
