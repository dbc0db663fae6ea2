/** The users that attempts are made as. */
export type User = 'root' | 'an ordinary user';

/** One attempt of a program to act outside of its sandbox. It succeeds without one. */
export interface Attempt {
  /** Completes the sentence "A sandbox holds …". */
  readonly title: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: (folders: Folders) => Readonly<Record<string, string>>;
  readonly tty?: boolean;
  /** The only user for whom it succeeds without a sandbox. */
  readonly only?: User;
  /** Whether this machine lets it succeed without a sandbox. Absent: every machine does. */
  readonly possible?: () => boolean;
  /** Whether the sandbox may write to the folder of the server, with its program and its own folders. */
  readonly aroundServer?: boolean;
  /** Whether the sandbox has a network. */
  readonly network?: boolean;
}

/** The files of our own server. Programs find them in the variables PROGRAM and COVERED. */
export interface OwnFiles {
  /** The folder around all of them. */
  readonly folder: string;
  readonly program: string;
  /** The folders that nobody in a sandbox may look into. */
  readonly covered: readonly string[];
}

/** The folders of an attempt. Programs find them in the variables OUT, IN and WORK. */
export interface Folders {
  /** Only the victim may write here. */
  readonly out: string;
  /** Writable, with the workspace further down. */
  readonly in: string;
  /** The workspace, which is the working directory. */
  readonly work: string;
}

/**
 * A script for `sh`. MARK is a text that proves a success in the output; VICTIM is the process number of a program
 * outside. A script that changes something outside need not write the text.
 */
export function shell(title: string, script: string, some: Omit<Attempt, 'title' | 'argv'> = {}): Attempt {
  return { title, argv: ['/bin/sh', '-c', script], ...some };
}

/** The beginning of each Python program. A call of the system that fails ends the program. */
const PRELUDE = `
import ctypes, fcntl, mmap, os, platform, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
OUT, IN, WORK, MARK = (os.environ[name] for name in ('OUT', 'IN', 'WORK', 'MARK'))
VICTIM = int(os.environ['VICTIM'])
X64 = platform.machine() == 'x86_64'
MS_REMOUNT, MS_BIND, MNT_DETACH = 0x20, 0x1000, 2
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUSER = 0x20000, 0x02000000, 0x10000000
def checked(result):
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def syscall(number, *args): return checked(libc.syscall(ctypes.c_long(number), *args))
def namespaces(flags=0): checked(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | flags))
def mount(source, target, kind, flags):
    names = [name and os.fsencode(name) for name in (source, target, kind)]
    checked(libc.mount(*names, ctypes.c_ulong(flags), None))
def write(file):
    with open(file, 'r+') as opened: opened.write('x')
def send(kind, address, family=socket.AF_UNIX):
    sender = socket.socket(family, kind)
    sender.connect(address)
    sender.send(b'x')
`;

/** A program for Python; the rest is as in {@link shell}. */
export function python(title: string, program: string, some: Omit<Attempt, 'title' | 'argv'> = {}): Attempt {
  return { title, argv: ['/usr/bin/python3', '-c', `${PRELUDE}${program}`], ...some };
}
