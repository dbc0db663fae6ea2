import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** The length of the digests in names, in hexadecimal digits: short, since a socket's path may have 103 bytes. */
const DIGITS = 12;

const NAME = new RegExp(`^sessions-([0-9a-f]{${DIGITS}})-([0-9a-f]{${DIGITS}})\\.sock$`);

/** What tells one machine from another that shares its home, or one of its folders: a container is one of its own. */
const OF_THE_MACHINE = ['/etc/machine-id', '/proc/sys/kernel/random/boot_id'];
const OF_THE_CONTAINER = ['/proc/self/ns/pid', '/proc/self/ns/mnt'];

/**
 * A digest of this machine, its last boot, and the namespaces of this process: a socket with another one in its name
 * belongs to a server that cannot be reached from here, or would run commands elsewhere.
 */
export function machineDigest(): string {
  const parts = [
    os.hostname(),
    ...OF_THE_MACHINE.map((file) => orNothing(() => readFileSync(file, 'utf8').trim())),
    ...OF_THE_CONTAINER.map((link) => orNothing(() => readlinkSync(link))),
  ];
  return shortDigest(parts.join('\n'));
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

/** @returns the digest of the files of the server whose socket has this name; undefined if it is none of this machine. */
export function filesInName(name: string, machine = machineDigest()): string | undefined {
  const [, ofMachine, files] = NAME.exec(name) ?? [];
  return ofMachine === machine ? files : undefined;
}

/** Whether a file of this name may be the socket of a session server, of whatever machine. */
export function isSocketName(name: string): boolean {
  return NAME.test(name);
}
