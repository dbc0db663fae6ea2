# enter.sh ROOT DIST COMMAND...: runs an arm64 program in a root of its own, in the namespaces that it is called in.
# The kernel starts qemu for arm64 programs, children too, because it is registered here; this needs a binfmt_misc of
# one's own, which user namespaces have from Linux 6.7 on. Nothing outside changes.
set -e
root=$1
dist=$2
shift 2
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
# The first bytes of an ELF program for arm64, which of their bits count, and F: qemu is opened now, outside the root.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
mount --bind "$dist" "$root/dist"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot "$root" "$@"
