import { readFileSync } from 'node:fs';

/**
 * The control groups of this process, as Linux lists them; empty elsewhere.
 */
export function ownControlGroups(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}

/**
 * The service of systemd that a process belongs to, and ends with.
 *
 * @param controlGroups The control groups of the process, as in `/proc/self/cgroup`.
 */
export function serviceIn(controlGroups: string): string | undefined {
  return controlGroups
    .split('\n')
    .map(unitIn)
    .find((unit) => unit?.endsWith('.service'));
}

/** Whether a process belongs to a login, such as one over ssh. */
export function isOfLogin(controlGroups: string): boolean {
  return controlGroups.split('\n').some((line) => /^session-.*\.scope$/.test(unitIn(line) ?? ''));
}

/**
 * @param line One of the control groups of a process. @returns the unit that it belongs to, if systemd says that here.
 */
function unitIn(line: string): string | undefined {
  const [, , controllers = 'none', group = ''] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
  return ['', 'name=systemd'].includes(controllers)
    ? group.split('/').findLast((part) => /\.(?:service|scope)$/.test(part))
    : undefined;
}
