import fs from 'node:fs';

import { type Attempt, type Folders, python, shell } from './attempt.js';

/** The number in a setting of the kernel; 0 if this kernel does not have it. */
function setting(name: string): number {
  try {
    return Number(fs.readFileSync(`/proc/sys/${name}`, 'utf8'));
  } catch {
    return 0;
  }
}

const TYPING = {
  tty: true,
  possible: () =>
    !fs.existsSync('/proc/sys/dev/tty/legacy_tiocsti') || setting('dev/tty/legacy_tiocsti') === 1,
};

/** A program of that name in the workspace is found first. */
const inPath = (name: string): Attempt =>
  shell(`a program named ${name} at the front of PATH`, `bwrap > /dev/null; env > /dev/null; bash -c true`, {
    env: ({ work, out }: Folders) => {
      fs.writeFileSync(`${work}/${name}`, `#!/bin/sh\necho x > ${out}/new\n`, { mode: 0o755 });
      return { PATH: `${work}:/usr/bin:/bin` };
    },
  });

/** Attempts to reach other programs. */
export const PROGRAM_ATTEMPTS: readonly Attempt[] = [
  inPath('bwrap'),
  inPath('env'),
  inPath('bash'),
  shell('variables that make a loader write files', 'true', {
    env: ({ out }) => ({ LD_DEBUG: 'files', LD_DEBUG_OUTPUT: `${out}/loader` }),
  }),
  shell('variables that make bash run a file', 'bash -c true', {
    env: ({ work, out }) => {
      fs.writeFileSync(`${work}/start`, `echo x > ${out}/new\n`);
      return { BASH_ENV: `${work}/start` };
    },
  }),
  shell("a look at another program's variables", 'cat "/proc/$VICTIM/environ"'),
  shell('a signal to another program', 'kill -KILL "$VICTIM"'),
  shell(
    'a program that goes on after its end',
    `setsid sh -c 'while :; do sleep 1; done' "$MARK" > /dev/null 2>&1 < /dev/null & sleep 0.1`,
  ),
  shell('a program with the rights of another user', 'test "$("$OUT/id" -u)" = 0 && echo "$MARK"', {
    only: 'an ordinary user',
  }),
  python('a socket by its name', `send(socket.SOCK_STREAM, OUT + '/stream')`),
  python('a socket of docker in a writable folder', `send(socket.SOCK_STREAM, WORK + '/docker.sock')`),
  python(
    'a socket of its server, with a network',
    `for folder in os.environ['COVERED'].split(): send(socket.SOCK_STREAM, folder + '/control')`,
    { aroundServer: true, network: true },
  ),
  python('an abstract socket', `send(socket.SOCK_STREAM, '\\0' + MARK)`),
  python('a socket of packets', `send(socket.SOCK_SEQPACKET, OUT + '/packets')`),
  python('a socket of datagrams', `send(socket.SOCK_DGRAM, OUT + '/datagrams')`),
  python(
    'a datagram without a connection',
    `socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', OUT + '/datagrams')`,
  ),
  python(
    'a datagram from one of a pair',
    `socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendmsg([b'x'], [], 0, OUT + '/datagrams')`,
  ),
  python(
    'a raw Unix socket',
    `socket.socket(socket.AF_UNIX, socket.SOCK_RAW).sendmsg([b'x'], [], 0, OUT + '/datagrams')`,
  ),
  python(
    'a connection over TCP',
    `send(socket.SOCK_STREAM, ('127.0.0.1', int(open(OUT + '/tcp').read())), socket.AF_INET)`,
  ),
  python(
    'a datagram over UDP',
    `send(socket.SOCK_DGRAM, ('127.0.0.1', int(open(OUT + '/udp').read())), socket.AF_INET)`,
  ),
  python(
    'shared memory of System V',
    `
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat(int(open(OUT + '/shared').read()), None, 0)
if address == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), 'shmat')
ctypes.memmove(address, b'x', 1)
`,
  ),
  python('shared memory of POSIX', `write('/dev/shm/' + MARK[5:])`),
  python(
    'a program that it traces',
    `
child = os.fork()
if child == 0: os.read(os.pipe()[0], 1)
try:
    checked(libc.ptrace(16, child, None, None))
    print(MARK)
finally: os.kill(child, 9)
`,
  ),
  python(
    'the memory of another program',
    `
byte = ctypes.create_string_buffer(b'x')
vector = struct.pack('NN', ctypes.addressof(byte), 1)
checked(libc.process_vm_writev(os.getpid(), vector, 1, vector, 1, 0))
print(MARK)
`,
  ),
  python(
    'a key of the kernel',
    `
syscall(248 if X64 else 217, b'user', os.fsencode(MARK), b'x', 1, -4)
print(MARK)
`,
  ),
  python('typing into its terminal', `fcntl.ioctl(0, 0x5412, b'x'); print(MARK)`, TYPING),
  python(
    'typing into its terminal with more bits in the request',
    `checked(libc.ioctl(0, ctypes.c_ulong(0x100005412), b'x')); print(MARK)`,
    TYPING,
  ),
  python('a ring of io_uring', `syscall(425, 4, bytes(120)); print(MARK)`, {
    possible: () => setting('kernel/io_uring_disabled') === 0,
  }),
];
