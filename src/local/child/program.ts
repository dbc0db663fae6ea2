import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';

import { ExecError, type HostVariables } from '../../core/index.js';
import { programCandidates } from '../windows/programCandidates.js';

/** The directories that are searched if the variables have no PATH: the C library's default. */
const DEFAULT_PATH = '/bin:/usr/bin';

const WINDOWS = process.platform === 'win32';

/** A program to start, by its path or its name. */
interface ProgramRequest {
  readonly program: string;
  readonly cwd: string;
  /** The variables of the child. */
  readonly env: HostVariables;
}

/**
 * Finds out why a program cannot be started. The system's own message names neither the program nor the directory, and
 * on a terminal it would only be text.
 *
 * @returns the error, or undefined if no reason is found.
 */
export async function checkProgram(request: ProgramRequest): Promise<ExecError | undefined> {
  const { program, cwd } = request;
  const directory = await kindOf(cwd);
  if (directory !== 'directory') {
    const kind = directory === 'missing' ? 'cwdNotFound' : 'cwdNotDirectory';
    // Windows has one number for both errors.
    const wire = WINDOWS ? { message: 'Not a directory (os error 267)' } : {};
    return new ExecError({ kind, program, cwd }, wire);
  }
  let found = false;
  for (const candidate of candidates(request)) {
    const kind = await kindOf(candidate);
    if (kind === 'file' && (await isExecutable(candidate))) {
      return checkInterpreter(candidate, request);
    }
    found ||= kind !== 'missing';
  }
  return found
    ? new ExecError({ kind: 'programNotExecutable', program, cwd })
    : new ExecError({ kind: 'programNotFound', program, cwd });
}

/** How much of a program may name its interpreter: the kernel reads 256 bytes of a script, and all headers of a binary. */
const HEAD_BYTES = 4096;

/** Systems report a missing interpreter as a missing program. */
async function checkInterpreter(
  file: string,
  { program, cwd }: ProgramRequest,
): Promise<ExecError | undefined> {
  const interpreter = interpreterIn(await headOf(file));
  if (interpreter === undefined) {
    return undefined;
  }
  const needed = path.resolve(cwd, interpreter);
  if ((await kindOf(needed)) === 'missing') {
    return new ExecError({ kind: 'interpreterNotFound', program, cwd, interpreter });
  }
  return (await isExecutable(needed))
    ? undefined
    : new ExecError({ kind: 'programNotExecutable', program, cwd });
}

/** The interpreter of a script, or the dynamic linker of a binary. */
function interpreterIn(head: string): string | undefined {
  const [, interpreter] =
    /^#![ \t]*([^ \t\n]+)/.exec(head) ?? /^\x7fELF.*?\0(\/[^\0]*\/ld[^/\0]*)\0/s.exec(head) ?? [];
  return interpreter;
}

/** Empty if it may not be read, and on Windows, which has no interpreters. */
async function headOf(file: string): Promise<string> {
  if (WINDOWS) {
    return '';
  }
  try {
    const opened = await open(file);
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await opened.close();
    }
  } catch {
    return '';
  }
}

/** The file of a program, if it exists and can be run. */
export async function findProgram(request: ProgramRequest): Promise<string | undefined> {
  for (const candidate of candidates(request)) {
    if ((await kindOf(candidate)) === 'file' && (await isExecutable(candidate))) {
      return candidate;
    }
  }
  return undefined;
}

/** An empty part of the PATH means the current directory, but an empty PATH has no parts. */
function candidates({ program, cwd, env }: ProgramRequest): readonly string[] {
  if (WINDOWS) {
    return programCandidates(program, { cwd, env, hostEnv: process.env });
  }
  const searchPath = env['PATH'] ?? DEFAULT_PATH;
  if (program.includes('/')) {
    return [path.resolve(cwd, program)];
  }
  return searchPath === '' ? [] : searchPath.split(':').map((part) => path.resolve(cwd, part, program));
}

async function kindOf(file: string): Promise<'file' | 'directory' | 'missing'> {
  try {
    return (await stat(file)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    // A directory that cannot be read may hold the program, and Node cannot read the programs of the Windows store. The
    // attempt to run it will tell.
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'UNKNOWN' ? 'file' : 'missing';
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
