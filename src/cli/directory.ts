import { statSync } from 'node:fs';
import path from 'node:path';

import { CliError } from './cliError.js';
import type { Console } from './console.js';
import { ExitCode } from './exitCodes.js';

/** @throws CliError if there is no such directory. */
export function directoryOf({ cwd }: Console, wanted: string | undefined): string {
  const directory = path.resolve(cwd, wanted ?? '.');
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    // Node puts U+FFFD for bytes that are not UTF-8.
    const why = directory.includes('\uFFFD')
      ? `The name of the directory ${directory} is not UTF-8`
      : `There is no directory ${directory}`;
    throw new CliError(`${why}. Give another one with --cwd.`, ExitCode.ownFailure);
  }
  return directory;
}
