import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a file that only this user can read and run, unless it has this content. A program that reads it at that
 * moment gets the old content or the new one. Several windows may write it at once.
 *
 * @throws NodeJS.ErrnoException
 */
export function putPrivateFile(file: string, content: string): void {
  if (textOf(file) === content) return;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, content, { mode: 0o700 });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // If it is not just missing, writing it reports the problem.
    return undefined;
  }
}
