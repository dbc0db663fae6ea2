/** The processors for which there is a filter. */
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
  ptrace: { x64: 101, arm64: 117 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  accept4: { x64: 288, arm64: 242 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
} as const;

type Call = keyof typeof CALLS;

/** They reach the memory and the keys of other programs. A ring of io_uring makes calls that no filter sees. */
const REFUSED = [
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'add_key',
  'request_key',
  'keyctl',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
] as const satisfies readonly Call[];

/** They reach other programs through sockets. */
const REFUSED_WITHOUT_NETWORK = [
  'connect',
  'bind',
  'listen',
  'accept',
  'accept4',
] as const satisfies readonly Call[];

/** Each puts characters into the input of a terminal; the kernel reads the low 32 bits of a request. */
const TYPING_REQUESTS = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c };

const AF_UNIX = 1;
/** A socket of another type reaches any path without `connect`, through `sendmsg`. */
const CONNECTED_TYPES = { SOCK_STREAM: 1, SOCK_SEQPACKET: 5 };
/** The other bits of a socket's type are flags. */
const TYPE_MASK = 0xf;

/** The kernel's names of the processors, `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`. */
const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of 32-bit programs with 64-bit registers have this bit: the same calls by other numbers. */
const X32_BIT = 0x40000000;

/** One instruction of classic BPF: the operation, two relative jumps, and a value. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, value: number];

const INSTRUCTION_BYTES = 8;
/** Where `struct seccomp_data` has the number of the call, the processor, and the low half of each argument. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => 16 + 8 * index;

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const mask = (bits: number): Instruction => [0x54, 0, 0, bits];
const answer = (action: number): Instruction => [0x06, 0, 0, action];

const ALLOW = answer(0x7fff0000);
const KILL = answer(0x80000000);
const REFUSE_WITH_EPERM = answer(0x00050001);

/** The loaded value decides whether `then` runs. It has to end with an answer if it loads something else. */
const ifEqual = (value: number, then: readonly Instruction[]) => [
  [0x15, 0, then.length, value] as const,
  ...then,
];
const unlessEqual = (value: number, then: readonly Instruction[]) => [
  [0x15, then.length, 0, value] as const,
  ...then,
];
const ifAtLeast = (value: number, then: readonly Instruction[]) => [
  [0x35, 0, then.length, value] as const,
  ...then,
];

/**
 * The system calls that a process in a sandbox may make, as a program for `bwrap --seccomp`. A refused call fails with
 * EPERM. A program for another processor is killed.
 *
 * @param network Whether it may use sockets of every kind. Otherwise it has only connected pairs.
 */
export function seccompFilter(arch: FilterArch, network: boolean): Buffer {
  const ifCall = (call: Call, then: readonly Instruction[]) => ifEqual(CALLS[call][arch], then);
  const onlyConnected = [
    load(argument(0)),
    ...unlessEqual(AF_UNIX, [REFUSE_WITH_EPERM]),
    load(argument(1)),
    mask(TYPE_MASK),
    ...Object.values(CONNECTED_TYPES).flatMap((type) => ifEqual(type, [ALLOW])),
    REFUSE_WITH_EPERM,
  ];
  const noTyping = [
    load(argument(1)),
    ...Object.values(TYPING_REQUESTS).flatMap((request) => ifEqual(request, [REFUSE_WITH_EPERM])),
    ALLOW,
  ];
  const program = [
    load(ARCH),
    ...unlessEqual(AUDIT_ARCH[arch], [KILL]),
    load(NUMBER),
    ...(arch === 'x64' ? ifAtLeast(X32_BIT, [REFUSE_WITH_EPERM]) : []),
    ...REFUSED.flatMap((call) => ifCall(call, [REFUSE_WITH_EPERM])),
    ...ifCall('ioctl', noTyping),
    ...(network
      ? []
      : [
          ...REFUSED_WITHOUT_NETWORK.flatMap((call) => ifCall(call, [REFUSE_WITH_EPERM])),
          ...ifCall('socket', onlyConnected),
          ...ifCall('socketpair', onlyConnected),
        ]),
    ALLOW,
  ];
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  program.forEach(([operation, ifTrue, ifFalse, value], index) => {
    // `struct sock_filter` in the order of bytes of both processors.
    const at = bytes.writeUInt16LE(operation, index * INSTRUCTION_BYTES);
    bytes.writeUInt32LE(value, bytes.writeUInt8(ifFalse, bytes.writeUInt8(ifTrue, at)));
  });
  return bytes;
}
