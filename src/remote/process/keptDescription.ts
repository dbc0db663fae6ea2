import { MOST_METADATA_CHARACTERS } from '../../core/index.js';
import { cutTexts, type ProcessDescription } from '../../protocol/index.js';

/**
 * The most characters of the arguments of a process. A system allows that many for a single argument, with few others.
 */
const MOST_ARGUMENT_CHARACTERS = 256 * 1024;

/** The most characters of a directory. Systems allow 4,096 bytes, and each may be written as three characters. */
const MOST_PATH_CHARACTERS = 16 * 1024;

/** The most characters of a handle, which is repeated in each call. No reachable process has a longer one. */
const MOST_HANDLE_CHARACTERS = 1_024;

/** A sandbox that is safe to use in place of one that is too large. */
const NOTHING_WRITABLE = { places: [], network: false };

/** Whether a process can be asked for by this handle. */
export function isHandle(handle: string): boolean {
  return handle.length <= MOST_HANDLE_CHARACTERS;
}

/**
 * Cuts a server's description of a process to sizes that a real one never exceeds, since the description is read
 * whenever the list is drawn. An argument list that is too long is left out, because half a command must never be run
 * again. Its beginning is kept for display.
 */
export function keptDescription(said: ProcessDescription): ProcessDescription {
  const { argv, cwd, metadata, sandbox } = said;
  const tooLong = isTooLong(argv);
  const shown =
    tooLong && typeof metadata['commandLine'] !== 'string' ? { commandLine: beginning(argv) } : {};
  return {
    ...said,
    argv: tooLong ? [] : argv,
    cwd: cwd.slice(0, MOST_PATH_CHARACTERS),
    ...(sandbox && {
      sandbox: isTooLong(sandbox.places.map(({ path }) => path)) ? NOTHING_WRITABLE : sandbox,
    }),
    metadata: cutTexts({ ...metadata, ...shown }, MOST_METADATA_CHARACTERS) as ProcessDescription['metadata'],
  };
}

function isTooLong(argv: readonly string[]): boolean {
  let characters = argv.length;
  return (
    characters > MOST_ARGUMENT_CHARACTERS ||
    argv.some((argument) => {
      characters += argument.length;
      return characters > MOST_ARGUMENT_CHARACTERS;
    })
  );
}

function beginning(argv: readonly string[]): string {
  return argv
    .slice(0, MOST_HANDLE_CHARACTERS)
    .map((argument) => argument.slice(0, MOST_HANDLE_CHARACTERS))
    .join(' ')
    .slice(0, MOST_METADATA_CHARACTERS / 2);
}
