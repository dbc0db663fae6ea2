import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

import {
  delay,
  ExecError,
  type ExitStatus,
  type ProcessLog,
  systemClock,
  untilExit,
} from '../../core/index.js';
import type { ChildRequest } from '../child/child.js';
import { readRow } from '../marks/processTable.js';
import { hasRun } from './bubblewrap.js';
import { withRefusal } from './refusal.js';

/** The pause between two looks for the program, in milliseconds. Bubblewrap needs some ten. */
const LOOK_MS = 1;
/** How long the output of an ended wrapper may take, in milliseconds. */
const OUTPUT_MS = 1_000;

/** The start of a program in a sandbox, and what is known of it afterwards. */
export class SandboxedStart {
  /** The wrapper, to be started in place of the program. */
  readonly request: ChildRequest;
  readonly #stages: ReadonlySet<string>;
  readonly #files: UnlinkedFiles;
  readonly #status: string;
  readonly #onFailure: () => void;
  readonly #onEnd: () => Promise<void>;
  #pid: number | undefined;
  #wrapper: readonly number[] = [];
  #ending: Promise<void> | undefined;

  /**
   * @param options.stages The arguments of the processes that become the program, one after the other.
   * @param options.status The file of bubblewrap's status.
   * @param options.files The files that the wrapper opens, and the status.
   * @param options.onFailure Called if the sandbox cannot be made.
   * @param options.onEnd Removes what was made for the sandbox.
   */
  constructor(options: {
    request: ChildRequest;
    stages: readonly (readonly string[])[];
    status: string;
    files: UnlinkedFiles;
    onFailure: () => void;
    onEnd: () => Promise<void>;
  }) {
    this.request = options.request;
    this.#stages = new Set(options.stages.map((stage) => stage.map((one) => `${one}\0`).join('')));
    this.#status = options.status;
    this.#files = options.files;
    this.#onFailure = options.onFailure;
    this.#onEnd = options.onEnd;
  }

  /** The program's own number, as everybody outside sees it; undefined if it ended before anybody could look. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** The processes that make the sandbox. */
  get wrapper(): readonly number[] {
    return this.#wrapper;
  }

  /**
   * Resolves once the program runs, or has ended. Earlier, a signal to it would be ignored.
   *
   * @param wrapper The process of the request.
   * @param said Resolves with its output once it has ended.
   * @throws ExecError noSandbox if the sandbox could not be made; the program has not run then.
   */
  async started(wrapper: number, said: () => Promise<string>): Promise<void> {
    this.#wrapper = [wrapper];
    while (this.#pid === undefined && readRow(wrapper) !== undefined) {
      this.#look(wrapper);
      await delay(systemClock, LOOK_MS);
    }
    const ran = this.#pid !== undefined || hasRun(readFileSync(this.#status, 'latin1'));
    this.#files.close();
    if (!ran) {
      this.#onFailure();
      throw new ExecError({ kind: 'noSandbox', reason: await said() });
    }
  }

  /** The wrapper has exited. @returns its status, with what the sandbox seems to have refused. */
  exited(status: ExitStatus, log: ProcessLog): ExitStatus {
    void this.#end();
    return withRefusal(status, log.retained);
  }

  /** To be called if the wrapper could not be started. Removes what was made for the sandbox. */
  end(): Promise<void> {
    this.#files.close();
    return this.#end();
  }

  #end(): Promise<void> {
    this.#ending ??= this.#onEnd();
    return this.#ending;
  }

  /** The wrapper's child is the init of the sandbox, and the program is the child of that. */
  #look(wrapper: number): void {
    const [init] = childrenOf(wrapper);
    const [pid] = init === undefined ? [] : childrenOf(init);
    const command = pid === undefined ? '' : textOf(`/proc/${pid}/cmdline`);
    if (init !== undefined && command !== '' && !this.#stages.has(command)) {
      this.#pid = pid;
      this.#wrapper = [wrapper, init];
    }
  }
}

/** The output of an ended wrapper. */
export async function wordsIn(log: ProcessLog): Promise<string> {
  await untilExit(log, { clock: systemClock, limitMs: OUTPUT_MS });
  const { chunks } = await log.read();
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8');
}

function childrenOf(pid: number): number[] {
  return textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Files that only their descriptors in this process lead to, so that nothing of them can stay. */
export class UnlinkedFiles {
  readonly #notes: string;
  #descriptors: readonly number[] = [];

  /** @param notes Each file is an empty note for a moment, so that it goes if this process is killed then. */
  constructor(notes: string) {
    this.#notes = notes;
  }

  /** @returns a path at which other processes of this user can open it until {@link close}. */
  add(content: Uint8Array = Buffer.alloc(0)): string {
    const name = `${this.#notes}.${randomUUID()}`;
    const descriptor = openSync(name, 'wx+', 0o600);
    this.#descriptors = [...this.#descriptors, descriptor];
    unlinkSync(name);
    for (let written = 0; written < content.length;) {
      written += writeSync(descriptor, content, written, content.length - written, written);
    }
    return `/proc/${process.pid}/fd/${descriptor}`;
  }

  close(): void {
    this.#descriptors.forEach((descriptor) => closeSync(descriptor));
    this.#descriptors = [];
  }
}
