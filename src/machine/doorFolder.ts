import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { commandText, LINE_LENGTH, maskSecrets, oneLine, processExists } from '../core/index.js';
import { type DoorRecord, type DoorRecords, startTimeOf, stillRuns } from '../local/index.js';
import { ensurePrivateFolder } from './privateFolder.js';
import { readOwn } from './readOwn.js';

/** No argument of a command is longer, in bytes, and so no file that the script has written. */
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

  /** Removes the folder, so that commands run plainly. Never throws. */
  leave(): void {
    try {
      if (existsSync(this.#folder) && this.#isOurs()) rmSync(this.#folder, { recursive: true });
    } catch {
      // It is not ours any more.
    }
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
    if (record === undefined) {
      if (processExists(Number(name))) return;
    } else if (record.end === undefined && stillRuns({ ...record })) {
      this.#running.set(name, record);
      return;
    } else {
      // The script may have written the end since.
      const end = record.end ?? recordIn(file, name)?.end ?? { at: Date.now() };
      this.#ended = [...this.#ended, { ...record, end }].slice(-MOST_ENDED);
    }
    this.#running.delete(name);
    rmSync(file, { recursive: true, force: true });
  }
}

/** @returns undefined if the script has not written all of it yet, or did not write it. */
function recordIn(file: string, name: string): DoorRecord | undefined {
  try {
    return readOwn(file, (descriptor, { size, mtimeMs }) =>
      size > MOST_BYTES ? undefined : parsed(readFileSync(descriptor, 'utf8'), name, mtimeMs),
    );
  } catch {
    return undefined;
  }
}

function parsed(text: string, name: string, at: number): DoorRecord | undefined {
  const [stat = '', conversation = '', cwd = '', command = '', code] = text.split('\0');
  const [, pid, startTime = ''] = /^(\d+) \(.*\) \S (?:\S+ ){18}(\d+) /s.exec(stat) ?? [];
  if (pid !== name || code === undefined) return undefined;
  return {
    ...{ pid: Number(pid), startTime, agent: 'claude', cwd },
    conversation: /^[\w.:-]{1,100}$/.test(conversation) ? conversation : undefined,
    command: oneLine(maskSecrets(commandText(['sh', '-c', command])), LINE_LENGTH),
    ...(/^\d{1,3}$/.test(code) && { end: { at, exitCode: Number(code) } }),
  };
}
