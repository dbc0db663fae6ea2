/** The processors that have a filter. */
export type FilterArch = 'x64' | 'arm64';

/**
 * The numbers of the system calls that the filter knows, for x64 and for arm64.
 *
 * Source: `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h` of Linux.
 */
const CALLS = {
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
  connect: { x64: 42, arm64: 203 },
  accept: { x64: 43, arm64: 202 },
  bind: { x64: 49, arm64: 200 },
  listen: { x64: 50, arm64: 201 },
  socketpair: { x64: 53, arm64: 199 },
  clone: { x64: 56, arm64: 220 },
  ptrace: { x64: 101, arm64: 117 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  unshare: { x64: 272, arm64: 97 },
  accept4: { x64: 288, arm64: 242 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  clone3: { x64: 435, arm64: 435 },
} as const;

type Call = keyof typeof CALLS;

/** They reach the memory and the keys of other programs. A ring of io_uring makes calls that no filter sees. */
const REFUSED: readonly Call[] = [
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'add_key', 'request_key', 'keyctl'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
];
/** They connect sockets with other programs. */
const REFUSED_WITHOUT_NETWORK: readonly Call[] = ['connect', 'bind', 'listen', 'accept', 'accept4'];

/** Requests that put characters into the input of a terminal. The kernel reads their low 32 bits. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/**
 * In a mount namespace of its own, a program can detach the mounts that protect folders, and rename the folders. With
 * the cgroup of its server mounted there, it can kill the server.
 */
const CLONE_NEWNS = 0x00020000;
const AF_UNIX = 1;
/** Sockets to the host of a virtual machine. */
const AF_VSOCK = 40;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
/** The other bits of a socket's type are flags. */
const SOCK_TYPE_MASK = 0xf;
/** A second set of numbers for 64-bit calls, on x64 only. */
const X32_SYSCALL_BIT = 0x40000000;
const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** One instruction of classic BPF: the operation, the instructions to skip if true and if false, and a value. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, value: number];
const INSTRUCTION_BYTES = 8;

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const loadNumber = load(0);
const loadArch = load(4);
/** The low half of an argument. */
const loadArgument = (index: number) => load(16 + 8 * index);
const and = (mask: number): Instruction => [0x54, 0, 0, mask];
const answer = (action: number): Instruction => [0x06, 0, 0, action];
const ALLOW = answer(0x7fff0000);
const KILL = answer(0x80000000);
const EPERM = answer(0x00050001);
const ENOSYS = answer(0x00050026);

/** Each decides by the loaded value whether `then` runs, which ends with an answer. */
const ifEqual = (value: number, ...then: Instruction[]): Instruction[] => [
  [0x15, 0, then.length, value],
  ...then,
];
const unlessEqual = (value: number, ...then: Instruction[]): Instruction[] => [
  [0x15, then.length, 0, value],
  ...then,
];
const ifAtLeast = (value: number, ...then: Instruction[]): Instruction[] => [
  [0x35, 0, then.length, value],
  ...then,
];
const ifAnyBit = (bits: number, ...then: Instruction[]): Instruction[] => [
  [0x45, 0, then.length, bits],
  ...then,
];

const NO_TYPING = [loadArgument(1), ...ifEqual(TIOCSTI, EPERM), ...ifEqual(TIOCLINUX, EPERM), ALLOW];
const NO_MOUNTS = [loadArgument(0), ...ifAnyBit(CLONE_NEWNS, EPERM), ALLOW];
const NETWORK_SOCKETS = [loadArgument(0), ...ifEqual(AF_VSOCK, EPERM), ALLOW];
/** A Unix socket of another type reaches any path without `connect`, through `sendmsg`. */
const CONNECTED_SOCKETS = [
  loadArgument(0),
  ...unlessEqual(AF_UNIX, EPERM),
  loadArgument(1),
  and(SOCK_TYPE_MASK),
  ...ifEqual(SOCK_STREAM, ALLOW),
  ...ifEqual(SOCK_SEQPACKET, ALLOW),
  EPERM,
];

/**
 * The system calls that a process in a sandbox may make, as a program for `bwrap --seccomp`. A refused call fails with
 * EPERM. A program for another processor is killed.
 *
 * @param network Whether it may use sockets of every kind. Otherwise it has only connected pairs.
 */
export function seccompFilter(arch: FilterArch, network: boolean): Buffer {
  const ifCall = (call: Call, ...then: Instruction[]) => ifEqual(CALLS[call][arch], ...then);
  const refused = network ? REFUSED : [...REFUSED, ...REFUSED_WITHOUT_NETWORK];
  const sockets = network ? NETWORK_SOCKETS : CONNECTED_SOCKETS;
  const program = [
    loadArch,
    ...unlessEqual(AUDIT_ARCH[arch], KILL),
    loadNumber,
    ...(arch === 'x64' ? ifAtLeast(X32_SYSCALL_BIT, EPERM) : []),
    ...refused.flatMap((call) => ifCall(call, EPERM)),
    ...ifCall('ioctl', ...NO_TYPING),
    ...ifCall('unshare', ...NO_MOUNTS),
    ...ifCall('clone', ...NO_MOUNTS),
    // Its flags are out of sight. Every program goes on with `clone` where the kernel does not have it.
    ...ifCall('clone3', ENOSYS),
    ...ifCall('socket', ...sockets),
    ...ifCall('socketpair', ...sockets),
    ALLOW,
  ];
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  program.forEach(([operation, ifTrue, ifFalse, value], index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(operation, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  });
  return bytes;
}
