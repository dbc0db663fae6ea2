import { closeSync, fstatSync, openSync, readFileSync, statSync, type Stats } from 'node:fs';

import { StartError, systemReason } from './startError.js';

/** Reading and writing, by the group and by everybody else. */
const BY_OTHERS = 0o066;

interface SecretFileOptions {
  readonly file: string;
  /** The purpose of the secret, for messages: `websocket auth secret`, for example. */
  readonly name: string;
  /** @returns the message that says what is wrong with a secret, if anything is. */
  readonly objectionTo?: (secret: string) => string | undefined;
  /** Told once of each change that cannot be used. */
  readonly log: (line: string) => void;
}

/** A file with a secret, which may be changed while the program runs. */
export class SecretFile {
  readonly #options: SecretFileOptions;
  #secret: string;
  /** The state of the file that was looked at last, whether it could be used or not. */
  #seen: string;

  /** @throws StartError if the file cannot be used. */
  constructor(options: SecretFileOptions) {
    this.#options = options;
    this.#seen = stateOf(options.file);
    this.#secret = read(options);
  }

  /** The secret that is in the file now. If that cannot be used, because it may be half written: the one before. */
  get current(): string {
    const { file, log } = this.#options;
    const state = stateOf(file);
    if (state !== this.#seen) {
      this.#seen = state;
      try {
        this.#secret = read(this.#options);
      } catch (error) {
        log(`${(error as StartError).message}. The earlier secret stays valid.`);
      }
    }
    return this.#secret;
  }
}

/**
 * @returns a text that differs as soon as the content or the rights do. A pipe can be read only once, so it never
 * changes.
 */
function stateOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() ? [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ') : '';
  } catch (error) {
    return systemReason(error);
  }
}

function read({ file, name, objectionTo }: SecretFileOptions): string {
  let content: string;
  try {
    content = contentOf(file);
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8 text' : systemReason(error);
    throw new StartError(`failed to read ${name} ${file}: ${reason}`, { cause: error });
  }
  if (content === '') {
    throw new StartError(`${name} ${file} must not be empty`);
  }
  const objection = objectionTo?.(content);
  if (objection !== undefined) {
    throw new StartError(objection);
  }
  return content;
}

function contentOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    if (isOpenToOthers(fstatSync(descriptor))) {
      throw new Error(`other users can read or change it; \`chmod 600 ${file}\` keeps it to you`);
    }
    // Decoding fails on invalid UTF-8: otherwise all such bytes would become the same character, and the secret would
    // be easy to guess.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor)).trim();
  } finally {
    closeSync(descriptor);
  }
}

/** Windows has rights of another kind, which Node does not tell. */
function isOpenToOthers({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & BY_OTHERS) !== 0;
}
