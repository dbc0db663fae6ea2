import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/**
 * Identifies one run of the machine; empty if unknown. Start times count from the start of the machine, so those of two
 * runs may be equal.
 */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Tells where a process number is valid: a home may be shared with other machines and with containers. Contains no
 * spaces.
 */
export function processNamespace(): string {
  const host = os.hostname().replaceAll(/\s/g, '_');
  try {
    return `${host}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return host;
  }
}
