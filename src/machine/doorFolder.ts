import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  commandText,
  LINE_LENGTH,
  maskSecrets,
  oneLine,
  processExists,
  withoutUnseen,
} from '../core/index.js';
import { type DoorRecord, type DoorRecords, startTimeOf, stillRuns } from '../local/index.js';
import { ensurePrivateFolder } from './privateFolder.js';
import { readOwn } from './readOwn.js';

/** The script writes no longer files, since an argument has at most 128 KiB. */
const MOST_BYTES = 256 * 1024;
/** The most files that one look reads; the next look goes on. */
const MOST_FILES = 1_000;
const MOST_ENDED = 200;
const OWN = `${process.pid} ${startTimeOf(process.pid)}\n`;

/** The commands of Claude Code, from the files that the script of its door writes. */
export class DoorFolder implements DoorRecords {
  readonly #folder: string;
  readonly #script: string;
  /** By the names of their files. */
  readonly #running = new Map<string, DoorRecord>();
  #ended: readonly DoorRecord[] = [];

  /** @param folder Made while there is the script. One server has it at a time, which a file in it names. */
  constructor(folder: string, script: string) {
    this.#folder = folder;
    this.#script = script;
  }

  read(): readonly DoorRecord[] {
    try {
      const names = existsSync(this.#script) && this.#isOurs() ? readdirSync(this.#folder) : [];
      const files = new Set([...this.#running.keys(), ...names.slice(0, MOST_FILES)]);
      files.forEach((name) => name !== 'server' && this.#look(name));
    } catch {
      // Without the folder, commands run plainly.
    }
    return [...this.#running.values(), ...this.#ended];
  }

  /** Removes the folder, so that commands run plainly. */
  leave(): void {
    if (existsSync(this.#folder) && this.#isOurs()) rmSync(this.#folder, { recursive: true });
  }

  /** Takes the folder, unless another server has it. */
  #isOurs(): boolean {
    ensurePrivateFolder(this.#folder);
    const file = path.join(this.#folder, 'server');
    const owner = readOwn(file, (descriptor) => readFileSync(descriptor, 'utf8')) ?? '';
    const [pid, startTime] = owner.trim().split(' ');
    const isFree = owner === OWN || !stillRuns({ pid: Number(pid), startTime });
    if (isFree && owner !== OWN) writeFileSync(file, OWN);
    return isFree;
  }

  #look(name: string): void {
    const file = path.join(this.#folder, name);
    const record = recordIn(file, name) ?? this.#running.get(name);
    if (record === undefined ? processExists(Number(name)) : !record.end && stillRuns({ ...record })) {
      if (record !== undefined) this.#running.set(name, record);
      return;
    }
    // The script may have written the end since.
    const end = record?.end ?? recordIn(file, name)?.end ?? { at: Date.now() };
    this.#ended = [...this.#ended, ...(record === undefined ? [] : [{ ...record, end }])].slice(-MOST_ENDED);
    this.#running.delete(name);
    rmSync(file, { recursive: true, force: true });
  }
}

/** @returns undefined if the script has not written all of it yet, or did not write it. */
function recordIn(file: string, name: string): DoorRecord | undefined {
  try {
    return readOwn(file, (descriptor, { size, mtimeMs }) => {
      const text = size > MOST_BYTES ? '' : readFileSync(descriptor, 'utf8');
      const [stat = '', conversation = '', cwd = '', command = '', code] = text.split('\0');
      const [, pid, ppid, startTime = ''] = /^(\d+) \(.*\) \S (\d+) (?:\S+ ){17}(\d+) /s.exec(stat) ?? [];
      if (pid !== name || code === undefined) return undefined;
      return {
        ...{ pid: Number(pid), ppid: Number(ppid), startTime, agent: 'claude', cwd: withoutUnseen(cwd) },
        conversation: /^[\w.:-]{1,100}$/.test(conversation) ? conversation : undefined,
        command: oneLine(maskSecrets(commandText(['sh', '-c', command])), LINE_LENGTH),
        ...(/^\d{1,3}$/.test(code) && { end: { at: mtimeMs, exitCode: Number(code) } }),
      };
    });
  } catch {
    return undefined;
  }
}
