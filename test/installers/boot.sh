#!/bin/sh
# PID 1 of namespaces of its own: a Debian in the folder $1 is the whole system. The other arguments are its program.
# Mounts and devices are as systemd expects them in a container; all of it goes with the process.
set -e
folder=$1
shift
mount --make-rprivate /
mount --bind "$folder" "$folder"
mount -t proc proc "$folder/proc"
mount --rbind /sys "$folder/sys"
mount -t tmpfs -o mode=755 tmpfs "$folder/dev"
for device in null zero full random urandom tty; do
  touch "$folder/dev/$device"
  mount --bind "/dev/$device" "$folder/dev/$device"
done
mkdir "$folder/dev/pts" "$folder/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$folder/dev/pts"
ln -s pts/ptmx "$folder/dev/ptmx"
ln -s /proc/self/fd "$folder/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$folder/run"
mount -t tmpfs tmpfs "$folder/tmp"
if [ "$(basename "$1")" = systemd ]; then
  # A tree of its own, whatever the machine's is.
  mount -t tmpfs tmpfs "$folder/sys/fs/cgroup"
  mount -t cgroup2 cgroup2 "$folder/sys/fs/cgroup"
  ip link set lo up multicast on
  ip route add 224.0.0.0/4 dev lo
fi
cd "$folder"
pivot_root . mnt
umount -l /mnt
exec env -i container=unshare LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
