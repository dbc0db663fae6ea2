import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { HostVariables } from '../../core/index.js';
import { stateFolder } from '../../local/index.js';
import { ensurePrivateFolder } from '../privateFolder.js';
import { StartError, systemReason } from '../startError.js';

/** The files of receipts. All session servers of a user write to the same ones. */
export interface ReceiptPlace {
  /** A folder that only the user can look into. */
  readonly folder: string;
  /** The receipts, one a line. */
  readonly file: string;
  /** The file before its last compaction; there only until what was appended to it meanwhile is in the new one. */
  readonly before: string;
  /** A file for each server that has written receipts, which is touched while it runs. */
  readonly runs: string;
  /** There if the user wants none to be written. */
  readonly off: string;
}

/** @returns undefined if the user has no place for what programs keep. */
export function receiptPlace(env: HostVariables): ReceiptPlace | undefined {
  const state = stateFolder(env);
  return state === undefined ? undefined : receiptPlaceIn(path.join(state, 'exec-sessions', 'receipts'));
}

export function receiptPlaceIn(folder: string): ReceiptPlace {
  return {
    folder,
    file: path.join(folder, 'receipts.jsonl'),
    before: path.join(folder, 'receipts.before.jsonl'),
    runs: path.join(folder, 'runs'),
    off: path.join(folder, 'off'),
  };
}

/**
 * Makes the folders where they are missing.
 *
 * @throws StartError if somebody else could look into them, or they cannot be made.
 */
export function makeReceiptPlace({ folder, runs }: ReceiptPlace): void {
  try {
    mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the folder ${path.dirname(folder)}: ${systemReason(error)}`, {
      cause: error,
    });
  }
  ensurePrivateFolder(folder);
  ensurePrivateFolder(runs);
}
