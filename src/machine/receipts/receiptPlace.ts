import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { HostVariables } from '../../core/index.js';
import { stateFolder } from '../../local/index.js';
import { ensurePrivateFolder } from '../privateFolder.js';
import { StartError, systemReason } from '../startError.js';

/**
 * The receipts of a user. Each run of a server has files of its own here, named after the run. These are parts with
 * receipts, the report of its guard, and a mark for each removal.
 */
export interface ReceiptPlace {
  /** A folder that only the user can look into. */
  readonly folder: string;
  /** A file that is there if the user wants no receipts. */
  readonly off: string;
}

/** @returns undefined if the user has no place for what programs keep. */
export function receiptPlace(env: HostVariables): ReceiptPlace | undefined {
  const state = stateFolder(env);
  return state === undefined ? undefined : receiptPlaceIn(path.join(state, 'exec-sessions', 'receipts'));
}

export function receiptPlaceIn(folder: string): ReceiptPlace {
  return { folder, off: path.join(folder, 'off') };
}

/**
 * Makes the folder where it is missing.
 *
 * @throws StartError if other users could look into it, or it cannot be made.
 */
export function makeReceiptPlace({ folder }: ReceiptPlace): void {
  try {
    mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the folder ${path.dirname(folder)}: ${systemReason(error)}`, {
      cause: error,
    });
  }
  ensurePrivateFolder(folder);
}

/** A file of a run. Only a part has a number: the higher, the newer. */
export interface RunFileName {
  readonly run: string;
  readonly kind: 'part' | 'removed' | 'guard';
  readonly number: number;
}

const NAME = /^([0-9a-f-]{36})\.(?:(\d+)\.jsonl|[0-9a-f-]{36}\.(removed)|guard)$/;

/** @returns undefined for other files. */
export function runFileName(file: string): RunFileName | undefined {
  const [, run, number, removed] = NAME.exec(file) ?? [];
  const kind = number !== undefined ? 'part' : removed !== undefined ? 'removed' : 'guard';
  return run === undefined ? undefined : { run, kind, number: Number(number ?? 0) };
}

export function partOf({ folder }: ReceiptPlace, run: string, number: number): string {
  return path.join(folder, `${run}.${number}.jsonl`);
}

/** @param id Tells the removals apart. */
export function markOfRemoval({ folder }: ReceiptPlace, run: string, id: string): string {
  return path.join(folder, `${run}.${id}.removed`);
}

/** The file in which the guard of a server names the processes that it has stopped. */
export function guardReportOf({ folder }: ReceiptPlace, run: string): string {
  return path.join(folder, `${run}.guard`);
}
