import { execFileSync } from 'node:child_process';

/** The time for a program of the system to answer, in milliseconds. It has nothing to wait for. */
const ANSWER_MS = 1_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Runs a program, and returns what it prints. Throws if it fails. */
export type Ask = (file: string, args: readonly string[]) => string;

/**
 * The number that macOS gives each of its boots, where Linux has a file. It tells machines apart that share a home, and
 * stays the same when a machine gets another name. Empty if it cannot be had, and on other systems.
 */
export function bootNumber(platform = process.platform, ask: Ask = askSystem): string {
  if (platform !== 'darwin') {
    return '';
  }
  try {
    // Named by its path: a folder on PATH may have another program of this name.
    const answer = ask('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim();
    return UUID.test(answer) ? answer : '';
  } catch {
    return '';
  }
}

function askSystem(file: string, args: readonly string[]): string {
  return execFileSync(file, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: ANSWER_MS,
    windowsHide: true,
  });
}
