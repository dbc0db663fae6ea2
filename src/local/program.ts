import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

import { ExecError } from '../core/index.js';

/** The directories that are searched if the variables have no PATH: those of the C library. */
const DEFAULT_PATH = '/bin:/usr/bin';

/**
 * Finds out why a program cannot be started. The system's own message names neither the program nor the directory, and
 * on a terminal it would only be text.
 *
 * @returns the error, or undefined if no reason is found.
 */
export async function checkProgram(request: {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<ExecError | undefined> {
  const { program, cwd, env } = request;
  const directory = await kindOf(cwd);
  if (directory !== 'directory') {
    return directory === 'missing'
      ? new ExecError({ kind: 'cwdNotFound', program, cwd })
      : new ExecError({ kind: 'cwdNotDirectory', program, cwd });
  }
  if (process.platform === 'win32') {
    // Windows has its own rules (PATHEXT, the current directory, App Paths), and reports a failure itself.
    return undefined;
  }
  let found = false;
  for (const candidate of candidates(program, cwd, env['PATH'] ?? DEFAULT_PATH)) {
    const kind = await kindOf(candidate);
    if (kind === 'file' && (await isExecutable(candidate))) {
      return undefined;
    }
    found ||= kind !== 'missing';
  }
  return found
    ? new ExecError({ kind: 'programNotExecutable', program, cwd })
    : new ExecError({ kind: 'programNotFound', program, cwd });
}

/** The path of a program on a PATH, if it is there and can be run. */
export async function findProgram(
  program: string,
  cwd: string,
  searchPath: string,
): Promise<string | undefined> {
  for (const candidate of candidates(program, cwd, searchPath)) {
    if ((await kindOf(candidate)) === 'file' && (await isExecutable(candidate))) {
      return candidate;
    }
  }
  return undefined;
}

/** An empty part of the PATH means the current directory, but an empty PATH has no parts. */
function candidates(program: string, cwd: string, searchPath: string): string[] {
  if (program.includes('/')) {
    return [path.resolve(cwd, program)];
  }
  return searchPath === '' ? [] : searchPath.split(':').map((part) => path.resolve(cwd, part, program));
}

async function kindOf(file: string): Promise<'file' | 'directory' | 'missing'> {
  try {
    return (await stat(file)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    // A directory that cannot be read may hold the program; the attempt to run it will tell.
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'file' : 'missing';
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
