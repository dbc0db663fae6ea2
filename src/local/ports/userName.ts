import { readFileSync } from 'node:fs';

/** The name of a user of this machine; the number of a user that no file names. */
export function userName(uid: number): string {
  return nameIn(passwd(), uid) ?? `uid ${uid}`;
}

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function nameIn(table: string, uid: number): string | undefined {
  const fields = table.split('\n').map((line) => line.split(':'));
  return fields.find(([, , number]) => number === String(uid))?.[0];
}
