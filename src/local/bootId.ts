import { readFileSync } from 'node:fs';

/** Start times count from the start of the machine, so those of two runs of it may be the same. Empty where it is unknown. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
