import path from 'node:path';

import { systemRoot, type HostVariables } from '../../core/index.js';

/** The context in which a program is looked for. */
interface SearchPlace {
  /** The directory that relative paths are relative to. */
  readonly cwd: string;
  /** The variables of the child, with the names in their original spelling. */
  readonly env: HostVariables;
  /** The variables of this process. */
  readonly hostEnv: HostVariables;
}

/** The endings of the files that can be started. PATHEXT also names scripts, but these need a program of their own. */
const STARTABLE: readonly string[] = ['.com', '.exe', '.bat', '.cmd'];

/**
 * The files that a program's name can mean on Windows, best first: `npm` on the PATH is `npm.cmd`. Neither Node nor
 * node-pty looks at PATHEXT. A bare name is looked for on the PATH and then in the directories of the system. The
 * current directory is never searched: a hostile workspace could contain a program of that name.
 */
export function programCandidates(program: string, { cwd, env, hostEnv }: SearchPlace): readonly string[] {
  const wanted = withoutTail(program);
  const endings = endingsOf(variable(env, 'PATHEXT'));
  const directories = /[\\/:]/.test(wanted)
    ? ['.']
    : [...pathParts(variable(env, 'PATH') ?? ''), ...systemDirectories(hostEnv)];
  const files = withEndings(wanted, endings);
  return directories.flatMap((directory) => files.map((file) => path.win32.resolve(cwd, directory, file)));
}

/**
 * The variable of this name in any spelling. If there are several, Windows gets the first in the order of their names
 * (https://github.com/nodejs/node/blob/v20.20.2/lib/child_process.js, `normalizeSpawnArguments`).
 */
export function variable(env: HostVariables, name: string): string | undefined {
  const spelled = Object.keys(env)
    .sort()
    .find((key) => key.toUpperCase() === name && env[key] !== undefined);
  return spelled === undefined ? undefined : env[spelled];
}

/** Windows ignores dots and spaces at the end of a file name, so they must not hide the ending `.cmd`. */
function withoutTail(program: string): string {
  return /(?:^|[\\/:])\.{1,2}$/.test(program) ? program : program.replace(/[. ]+$/, '');
}

/** A name without an ending is never a program's: beside npm.cmd there is a file npm, for other shells. */
function withEndings(file: string, endings: readonly string[]): readonly string[] {
  const added = endings.map((ending) => file + ending);
  return path.win32.extname(file) === '' ? added : [file, ...added];
}

function endingsOf(pathExt: string | undefined): readonly string[] {
  const named = (pathExt ?? '').split(';').map((ending) => ending.trim().toLowerCase());
  const endings = named.filter((ending) => STARTABLE.includes(ending));
  return endings.length > 0 ? endings : STARTABLE;
}

/** The directories of a PATH. Quotes around one protect a semicolon in its name. */
function pathParts(searchPath: string): readonly string[] {
  const parts = searchPath.match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', '').trim()).filter((part) => part !== '');
}

function systemDirectories(hostEnv: HostVariables): readonly string[] {
  const root = systemRoot(hostEnv);
  return [`${root}\\System32`, root];
}
