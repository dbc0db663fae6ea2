import fs from 'node:fs';

import { type Attempt, python, shell } from './attempt.js';

const KEPT = '"$OUT/kept"';
const AS_ROOT = { only: 'root' } as const;

/** Attempts to change files outside. */
export const FILE_ATTEMPTS: readonly Attempt[] = [
  shell('a write to a file outside', `echo x > ${KEPT}`),
  shell('a write through a link', `ln -s ${KEPT} link; echo x > link`),
  shell('a write through a hard link', `ln ${KEPT} link; echo x > link`),
  shell('the removal of a file outside', `rm -f ${KEPT}`),
  shell('a change of the rights of a file outside', `chmod 777 ${KEPT}`),
  shell('a move of a file from outside', `mv ${KEPT} here`),
  shell('a move of a file to the outside', 'echo x > here; mv here "$OUT/new"'),
  shell('a write through /proc/self/root', 'echo x > "/proc/self/root$OUT/kept"'),
  shell('a write through /proc/1/root', 'echo x > "/proc/1/root$OUT/kept"', {
    ...AS_ROOT,
    possible: () => fs.existsSync('/proc/1/root/proc'),
  }),
  shell("a write through another program's root", 'echo x > "/proc/$VICTIM/root$OUT/kept"'),
  shell("a write through another program's directory", 'echo x > "/proc/$VICTIM/cwd/kept"'),
  shell("a write through another program's descriptor", 'echo x > "/proc/$VICTIM/fd/33"'),
  shell(
    'a change of the name of the machine',
    'f=/proc/sys/kernel/hostname; read -r name < $f; echo "$name" > $f && echo "$MARK"',
    AS_ROOT,
  ),
  python(
    'a change of the settings of the kernel',
    `
# The kernel asks for more than the rights of a file where mtrr is written.
OTHERS = ('self', 'thread-self', 'pressure')
for top in ('/proc', '/sys/kernel', '/sys/module', '/sys/fs'):
    for folder, folders, files in os.walk(top):
        if folder == '/proc': folders[:] = [name for name in folders if not name.isdigit() and name not in OTHERS]
        paths = [os.path.join(folder, name) for name in files if name != 'mtrr']
        if any(os.access(path, os.W_OK) and not os.path.islink(path) for path in paths): print(folder, MARK)
`,
    AS_ROOT,
  ),
  python(
    'a write to the log of the kernel',
    `
os.open('/dev/kmsg', os.O_WRONLY)
print(MARK)
`,
    AS_ROOT,
  ),
  python(
    'a device file of its own',
    `
os.mknod('zero', 0o20666, os.makedev(1, 5))
if os.read(os.open('zero', os.O_RDONLY), 1): print(MARK)
`,
    AS_ROOT,
  ),
  python(
    'a file handle',
    `
handle, mount_id = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)), ctypes.c_int()
checked(libc.name_to_handle_at(-100, os.fsencode(OUT + '/kept'), handle, ctypes.byref(mount_id), 0))
os.write(checked(libc.open_by_handle_at(os.open(OUT, os.O_RDONLY), handle, os.O_WRONLY)), b'x')
`,
    AS_ROOT,
  ),
  python(
    'a mount of an outer file in namespaces of its own',
    `
open('here', 'w').close()
namespaces()
mount(OUT + '/kept', 'here', None, MS_BIND)
write('here')
`,
  ),
  python(
    'a mount that becomes writable in namespaces of its own',
    `
namespaces()
mount(None, '/', None, MS_REMOUNT | MS_BIND)
write(OUT + '/kept')
`,
  ),
  python(
    'a mount that becomes writable in the namespaces of the sandbox',
    `
libc.mount(None, b'/', None, ctypes.c_ulong(MS_REMOUNT | MS_BIND), None)
libc.umount2(os.fsencode(WORK + '/.git'), MNT_DETACH)
for file in (OUT + '/kept', '.git/config'):
    try: write(file)
    except OSError as error: print(error)
`,
  ),
  python(
    'the end of the mount of a protected folder',
    `
namespaces()
libc.umount2(os.fsencode(WORK + '/.git'), MNT_DETACH)
write('.git/config')
`,
  ),
  python(
    'a look below the mount of a protected folder',
    `
os.mkdir('second')
namespaces()
mount(WORK, 'second', None, MS_BIND)
write('second/.git/config')
`,
  ),
  python(
    'a protected folder that it moves in a tree without mounts',
    `
os.makedirs('new/old')
folder = os.open('.', os.O_RDONLY)
namespaces()
mount('new', 'new', None, MS_BIND)
syscall(155 if X64 else 41, b'new', b'new/old')
checked(libc.umount2(b'/old', MNT_DETACH))
os.rename('.git', 'moved', src_dir_fd=folder, dst_dir_fd=folder)
`,
  ),
  python(
    'a mount of the cgroup of its server',
    `
os.mkdir('group')
namespaces(CLONE_NEWCGROUP)
mount('group', 'group', 'cgroup2', 0)
print(MARK)
`,
  ),
  shell('a write to a protected folder', 'echo x > .git/hooks/pre-commit'),
  shell('a protected folder that it makes', 'mkdir -p .agents; echo x > .agents/file'),
  shell('a protected folder in another writable folder', 'mkdir -p "$IN/.codex"; echo x > "$IN/.codex/file"'),
  shell('a protected folder that it moves', 'mv .git moved'),
  python(
    'a protected folder that it exchanges',
    `
os.mkdir('other')
checked(libc.renameat2(-100, b'.git', -100, b'other', 2))
`,
  ),
  shell('the removal of a protected folder', 'rm -rf .git'),
  shell('a hard link of a protected file', 'ln .git/config link; echo x > link'),
  shell('a descriptor of a protected file', 'exec 5< .git/config; echo x > /proc/self/fd/5'),
  shell('a workspace that it moves', 'cd /; mv "$WORK" "$WORK.old"'),
  shell(
    'a folder around the workspace that it moves',
    'cd /; mv "$IN/deep" "$IN/old"; mkdir -p "$WORK/.git"; echo x > "$WORK/.git/config"',
  ),
  shell('a write to the program of its server', 'echo "// x" >> "$PROGRAM"', { aroundServer: true }),
  shell('a look at the files of its server', 'for folder in $COVERED; do cat "$folder/secret"; done', {
    aroundServer: true,
  }),
];
