import {
  Alarm,
  type Clock,
  type Disposable,
  type ExecBackend,
  type ExecProcess,
  type KeptOptions,
  type KeptOutput,
  messageOf,
} from '../../core/index.js';
import { type FilesOfOne, type OutputFolder, SIGN_MS } from '../../machine/index.js';
import { DISK_CHECK_MS, MOST_OUTPUT_FILES, MOST_READ_FROM_DISK } from '../limits.js';
import type { DiskLimits } from './diskLimits.js';
import { KeptProcess } from './keptProcess.js';

export interface OutputFilesOptions {
  readonly backend: ExecBackend;
  readonly clock: Clock;
  readonly folder: OutputFolder;
  readonly limits: DiskLimits;
  readonly log: (line: string) => void;
}

/**
 * The output of owned processes on disk. Kept is the output of processes with `keepOutput: true` in their metadata, or
 * without a word about it while keeping is the rule. With `false` their output on disk is removed, as it is with the
 * process. Typed input is not kept.
 */
export class OutputFiles {
  readonly #options: OutputFilesOptions;
  readonly #processes = new Map<string, KeptProcess>();
  readonly #changes: Disposable;
  readonly #alarm: Alarm;
  readonly #signs: Alarm;
  /** The last of the checks: one follows the other. */
  #enforced = Promise.resolve();

  constructor(options: OutputFilesOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock);
    this.#signs = new Alarm(options.clock);
    this.#changes = options.backend.onDidChange(({ type, processId }) => {
      if (type === 'added') {
        void this.#follow(processId);
      } else if (type === 'removed') {
        this.#processes.get(processId)?.remove();
        this.#processes.delete(processId);
      } else {
        this.#processes.get(processId)?.look();
      }
    });
  }

  /** The limits have changed. */
  changed(): void {
    this.#processes.forEach((process) => process.look());
    this.#check();
  }

  /** Reads the output of a process on disk. The process may be one of an earlier server. */
  async read(processId: string, { afterSeq, maxBytes }: KeptOptions): Promise<KeptOutput> {
    const most = Math.min(maxBytes, MOST_READ_FROM_DISK);
    const known = this.#processes.get(processId);
    return known === undefined
      ? this.#options.folder.read(processId, { afterSeq, maxBytes: most })
      : known.read(afterSeq, most);
  }

  /** From now on no file is removed: the server ends, and its processes with it. */
  leave(): void {
    this.#changes.dispose();
    this.#alarm.dispose();
    this.#signs.dispose();
  }

  /** Writes all that was printed until now. */
  async end(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.end()));
    this.leave();
  }

  async #follow(processId: string): Promise<void> {
    const { backend, log } = this.#options;
    const process = await backend.attach(processId).catch((error: unknown) => {
      log(`The output of ${processId} is not kept on disk: ${messageOf(error)}`);
      return undefined;
    });
    if (process?.info().owned === true) {
      this.#processes.set(processId, this.#kept(process));
    } else {
      process?.release();
    }
  }

  #kept(process: ExecProcess): KeptProcess {
    const { clock, folder, limits, log } = this.#options;
    this.#signLater();
    return new KeptProcess(process, { clock, folder, limits, log, onWritten: () => this.#check() });
  }

  #signLater(): void {
    this.#signs.setUnlessSet(SIGN_MS, () => {
      void this.#options.folder.sign(this.#options.clock.wallTime());
      this.#signLater();
    });
  }

  #check(): void {
    this.#alarm.setUnlessSet(DISK_CHECK_MS, () => {
      this.#enforced = this.#enforced.then(() => this.#enforce());
    });
  }

  /** Removes whole outputs until those that count are within the limits, first those to which no more is added. */
  async #enforce(): Promise<void> {
    const { clock, folder, limits } = this.#options;
    const listed = await folder.listCounted(clock.wallTime());
    let bytes = listed.reduce((sum, file) => sum + file.bytes, 0);
    let count = listed.length;
    const isWithin = () => bytes <= limits.allBytes && count <= MOST_OUTPUT_FILES;
    const since = ({ name }: FilesOfOne) => this.#processes.get(name)?.writtenSince;
    for (const one of [...listed].sort((first, second) => order(first, second, since))) {
      if (isWithin()) {
        break;
      }
      bytes -= one.bytes;
      count -= 1;
      await this.#processes.get(one.name)?.drop();
      await folder.remove(one);
    }
  }
}

/** Ended outputs come before those that may grow, and older ones before newer ones. */
function order(one: FilesOfOne, other: FilesOfOne, since: (files: FilesOfOne) => number | undefined): number {
  const [oneSince, otherSince] = [since(one), since(other)];
  const bothGrow = oneSince !== undefined && otherSince !== undefined;
  return bothGrow
    ? oneSince - otherSince
    : Number(oneSince !== undefined) - Number(otherSince !== undefined) || one.writtenAt - other.writtenAt;
}
