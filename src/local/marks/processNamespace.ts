import { readlinkSync } from 'node:fs';
import os from 'node:os';

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
