import { readFileSync } from 'node:fs';

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
