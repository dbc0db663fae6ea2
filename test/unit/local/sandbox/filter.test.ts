import assert from 'node:assert/strict';

import { seccompFilter } from '../../../../src/local/sandbox/filter.js';

const ALLOWED = 0x7fff0000;
const KILLED = 0x80000000;
const EPERM = 0x00050000 + 1;
const ENOSYS = 0x00050000 + 38;

const ARCHITECTURES = {
  x64: {
    audit: 0xc000003e,
    calls: {
      ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311 },
      ...{ add_key: 248, request_key: 249, keyctl: 250 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
      ...{ connect: 42, bind: 49, listen: 50, accept: 43, accept4: 288 },
      ...{ ioctl: 16, socket: 41, socketpair: 53, unshare: 272, clone: 56, clone3: 435 },
      ...{ sendto: 44, sendmsg: 46, recvmsg: 47, shutdown: 48, execve: 59, openat: 257, getpid: 39 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271 },
      ...{ add_key: 217, request_key: 218, keyctl: 219 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
      ...{ connect: 203, bind: 200, listen: 201, accept: 202, accept4: 242 },
      ...{ ioctl: 29, socket: 198, socketpair: 199, unshare: 97, clone: 220, clone3: 435 },
      ...{ sendto: 206, sendmsg: 211, recvmsg: 212, shutdown: 210, execve: 221, openat: 56, getpid: 172 },
    },
  },
} as const;

type Arch = keyof typeof ARCHITECTURES;
type Name = keyof (typeof ARCHITECTURES)['x64']['calls'];

/** Answers as the kernel does; see `struct sock_filter` and `struct seccomp_data`. */
function run(program: Buffer, call: number, audit: number, args: readonly bigint[]): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(audit, 4);
  args.forEach((value, index) => data.writeBigUInt64LE(value, 16 + 8 * index));
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = program.readUInt32LE(at + 4);
    const jump = (yes: boolean) => (at += 8 * program.readUInt8(at + (yes ? 2 : 3)));
    const operations: Record<number, () => void> = {
      0x20: () => (loaded = data.readUInt32LE(value)),
      0x54: () => (loaded = (loaded & value) >>> 0),
      0x15: () => jump(loaded === value),
      0x35: () => jump(loaded >= value),
      0x45: () => jump((loaded & value) !== 0),
    };
    const operation = program.readUInt16LE(at);
    if (operation === 0x06) {
      return value;
    }
    assert(operations[operation], `operation ${operation}`);
    operations[operation]();
  }
  throw new Error('The program has no answer.');
}

function answerTo(arch: Arch, network: boolean, name: Name, ...args: readonly (number | bigint)[]): number {
  const { calls, audit } = ARCHITECTURES[arch];
  return run(seccompFilter(arch, network), calls[name], audit, args.map(BigInt));
}

const HIGH = 0x7700000000n;

for (const arch of ['x64', 'arm64'] as const) {
  describe(`The filter of system calls for ${arch}`, () => {
    const always = [
      'ptrace',
      'process_vm_readv',
      'process_vm_writev',
      'add_key',
      'request_key',
      'keyctl',
      'io_uring_setup',
      'io_uring_enter',
      'io_uring_register',
    ] as const;
    for (const network of [false, true]) {
      const where = network ? 'with a network' : 'without a network';

      it(`refuses other programs' memory and keys, and io_uring, ${where}`, () => {
        assert.deepEqual(
          always.map((name) => answerTo(arch, network, name)),
          always.map(() => EPERM),
        );
      });

      it(`lets a program do its own work ${where}`, () => {
        const own = ['sendto', 'sendmsg', 'recvmsg', 'shutdown', 'execve', 'openat', 'getpid'] as const;
        assert.deepEqual(
          own.map((name) => answerTo(arch, network, name, 9, 1, 2)),
          own.map(() => ALLOWED),
        );
      });

      it(`refuses typing into a terminal, whatever the high bits of the request, ${where}`, () => {
        const TCGETS = 0x5401;
        const answers = [0x5412, 0x541c, HIGH + 0x5412n, HIGH + 0x541cn, TCGETS].map((request) =>
          answerTo(arch, network, 'ioctl', 0, request),
        );
        assert.deepEqual(answers, [EPERM, EPERM, EPERM, EPERM, ALLOWED]);
      });

      it(`refuses only namespaces of mounts ${where}`, () => {
        const [newUser, newMounts, thread] = [0x10000000, 0x00020000, 0x3d0f00];
        const answers = [newUser, thread, newMounts, newUser + newMounts].flatMap((flags) =>
          (['unshare', 'clone'] as const).map((name) => answerTo(arch, network, name, flags)),
        );
        assert.deepEqual(answers, [ALLOWED, ALLOWED, ALLOWED, ALLOWED, EPERM, EPERM, EPERM, EPERM]);
        assert.equal(answerTo(arch, network, 'clone3'), ENOSYS);
      });

      it(`kills a program for another processor ${where}`, () => {
        const i386 = 0x40000003;
        const arm = 0x40000028;
        const other = ARCHITECTURES[arch === 'x64' ? 'arm64' : 'x64'].audit;
        const { getpid } = ARCHITECTURES[arch].calls;
        const answers = [i386, arm, other].map((audit) =>
          run(seccompFilter(arch, network), getpid, audit, []),
        );
        assert.deepEqual(answers, [KILLED, KILLED, KILLED]);
      });
    }

    const connecting = ['connect', 'bind', 'listen', 'accept', 'accept4'] as const;

    it('refuses to connect sockets without a network only', () => {
      for (const [network, answer] of [
        [false, EPERM],
        [true, ALLOWED],
      ] as const) {
        assert.deepEqual(
          connecting.map((name) => answerTo(arch, network, name, 3)),
          connecting.map(() => answer),
        );
      }
    });

    it('allows only connected Unix sockets without a network', () => {
      const [unix, inet, inet6, netlink, packet, vsock] = [1, 2, 10, 16, 17, 40];
      const [stream, datagram, raw, seqpacket, flags] = [1, 2, 3, 5, 0x80800];
      const allowed = [
        [unix, stream],
        [unix, seqpacket],
        [unix, stream + flags],
        [HIGH + BigInt(unix), HIGH + BigInt(stream)],
      ];
      const refused = [
        [unix, datagram],
        [unix, raw],
        [unix, datagram + flags],
        [unix, HIGH + BigInt(datagram)],
        ...[inet, inet6, netlink, packet, vsock].map((family) => [family, stream]),
      ];
      for (const name of ['socket', 'socketpair'] as const) {
        const answers = (sockets: readonly (readonly (number | bigint)[])[]) =>
          new Set(sockets.map((socket) => answerTo(arch, false, name, ...socket)));
        assert.deepEqual(answers(allowed), new Set([ALLOWED]), name);
        assert.deepEqual(answers(refused), new Set([EPERM]), name);
      }
    });

    it('allows all sockets with a network, but those to the host of a virtual machine', () => {
      const answers = [1, 2, 10, 16, 40].map((family) => answerTo(arch, true, 'socket', family, 2));
      assert.deepEqual(answers, [ALLOWED, ALLOWED, ALLOWED, ALLOWED, EPERM]);
    });
  });
}

describe('The filter of system calls', () => {
  it('refuses the second set of numbers, which only x64 has', () => {
    const answers = (['x64', 'arm64'] as const).map((arch) => {
      const { audit, calls } = ARCHITECTURES[arch];
      return run(seccompFilter(arch, true), 0x40000000 + calls.getpid, audit, []);
    });
    assert.deepEqual(answers, [EPERM, ALLOWED]);
  });
});
