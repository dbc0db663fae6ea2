import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { capabilityToken, sha256, type TokenCheck } from './bearerToken.js';
import { ensurePrivateFolder } from '../../machine/index.js';
import { StartError, systemReason } from './startError.js';

const TOKEN_BYTES = 32;

/** A new token in a file that only this user can read, for as long as this process runs. */
interface OwnToken {
  readonly file: string;
  readonly check: TokenCheck;
}

/**
 * Makes a token.
 *
 * @param folder A private folder, which is made if need be.
 * @throws StartError
 */
export function makeOwnToken(folder: string): OwnToken {
  ensurePrivateFolder(folder);
  const file = path.join(folder, `token-${process.pid}`);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  try {
    // Removes the file of an earlier process that had this number and was killed.
    rmSync(file, { force: true });
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // A full disk takes the name, and not the token.
    tryToRemove(file);
    throw new StartError(`cannot write a token to ${file}: ${systemReason(error)}`, { cause: error });
  }
  process.once('exit', () => rmSync(file, { force: true }));
  const digest = sha256(token);
  return { file, check: capabilityToken(() => digest) };
}

function tryToRemove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // In that case a token could not be written there either.
  }
}
