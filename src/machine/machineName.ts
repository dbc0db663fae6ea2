import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** The length of the digests in names, in hexadecimal digits: short, since a socket's path may have 103 bytes. */
const DIGITS = 12;

const NAME = new RegExp(`^sessions-([0-9a-f]{${DIGITS}})-([0-9a-f]{${DIGITS}})\\.sock$`);

/** The files that tell one machine, and one start of it, from another that shares its home, or one of its folders. */
const OF_THE_MACHINE = ['/etc/machine-id', '/proc/sys/kernel/random/boot_id'];
/** A container is a machine of its own. */
const OF_THE_CONTAINER = ['/proc/self/ns/pid', '/proc/self/ns/mnt'];

/** The time for a program of the system to answer, in milliseconds. It has nothing to wait for. */
const ANSWER_MS = 1_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Facts that a machine tells about itself; a fact is empty if the machine does not tell it. */
export interface MachineFacts {
  readonly host: string;
  readonly machine: string;
  readonly boot: string;
  readonly processes: string;
  readonly mounts: string;
}

/** Kept, since a program may have to be asked for it. */
let askedBoot: string | undefined;

function ownFacts(): MachineFacts {
  askedBoot ??= bootNumber();
  const [machine = '', boot = ''] = OF_THE_MACHINE.map((file) =>
    orNothing(() => readFileSync(file, 'utf8').trim()),
  );
  const [processes = '', mounts = ''] = OF_THE_CONTAINER.map((link) => orNothing(() => readlinkSync(link)));
  return { host: os.hostname(), machine, boot: boot === '' ? askedBoot : boot, processes, mounts };
}

/**
 * A digest of this machine, its last boot, and the namespaces of this process. A socket with another digest in its name
 * belongs to a server that cannot be reached from here, or would run commands elsewhere. A machine that numbers its
 * boots may get another name while a server runs. So its name counts only if it has no such number.
 */
export function machineDigest({ host, machine, boot, processes, mounts } = ownFacts()): string {
  const name = boot === '' ? host : '';
  return shortDigest([name, machine, boot, processes, mounts].join('\n'));
}

/** Runs a program, and returns what it prints. Throws if it fails. */
type Ask = (file: string, args: readonly string[]) => string;

/**
 * The number that macOS gives each of its boots, where Linux has a file. It tells machines apart that share a home, and
 * stays the same when a machine gets another name. Empty if it cannot be had, and on other systems.
 */
export function bootNumber(platform = process.platform, ask: Ask = askSystem): string {
  if (platform !== 'darwin') {
    return '';
  }
  // Named by its path: a folder on PATH may have another program of this name.
  const answer = orNothing(() => ask('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim());
  return UUID.test(answer) ? answer : '';
}

function askSystem(file: string, args: readonly string[]): string {
  return execFileSync(file, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: ANSWER_MS,
    windowsHide: true,
  });
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

export function shortDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, DIGITS);
}

/** The name of the socket of a session server with these files on this machine. */
export function socketNameOf(files: string, machine = machineDigest()): string {
  return `sessions-${machine}-${files}.sock`;
}

/**
 * @returns the digest of the files of the server whose socket has this name; undefined for a name from another machine.
 */
export function filesInName(name: string, ofThisMachine = machineDigest()): string | undefined {
  const [, ofMachine, files] = NAME.exec(name) ?? [];
  return ofMachine === ofThisMachine ? files : undefined;
}

/** Whether a file has this name for a session server of this machine: its socket, its log, or a claim. */
export function isOfThisMachine(name: string): boolean {
  return new RegExp(`^\\.?sessions-${machineDigest()}-`).test(name);
}

/** Whether a file of this name may be the socket of a session server, of whatever machine. */
export function isSocketName(name: string): boolean {
  return NAME.test(name);
}
