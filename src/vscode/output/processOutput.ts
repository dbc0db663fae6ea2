import { constants, type FileHandle, open, readlink, stat } from 'node:fs/promises';

import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable, oneLine, type ProcessIdentity } from '../../core/index.js';
import { byteText } from '../../sessions/words/index.js';
import { plainText } from '../../terminal/index.js';
import { UserError } from '../userError.js';

/** The most output that is shown, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** The time between two looks for new output, in milliseconds. */
const FOLLOW_MS = 1_000;

/** The output of a process that is no session, from the file that it writes to. */
export class ProcessOutput implements Disposable {
  readonly #file: FileHandle;
  readonly #isOver: () => boolean;
  readonly #next: Alarm;

  private constructor(file: FileHandle, isOver: () => boolean, clock: Clock) {
    this.#file = file;
    this.#isOver = isOver;
    this.#next = new Alarm(clock);
  }

  /**
   * Opens the file that is its standard output. It can be read for as long as it is open, even if it is deleted.
   *
   * @throws UserError if the process has ended, or writes to no file that can be read.
   */
  static async open(identity: ProcessIdentity, clock: Clock): Promise<ProcessOutput> {
    const { stillRuns } = await import('../../local/index.js');
    const isOver = () => !stillRuns({ ...identity });
    const name = `/proc/${identity.pid}/fd/1`;
    const isFile = await stat(name).then(
      (it) => it.isFile(),
      () => false,
    );
    // Without a wait for a pipe that has taken the place of the file.
    const file = isFile
      ? await open(name, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
      : undefined;
    if (file !== undefined && !isOver() && (await file.stat()).isFile()) {
      return new ProcessOutput(file, isOver, clock);
    }
    await file?.close();
    const place = await readlink(name).catch(() => vscode.l10n.t('not readable'));
    throw new UserError(
      isOver()
        ? vscode.l10n.t('This process has ended, and its output was not kept.')
        : vscode.l10n.t('The output of this process cannot be shown. It goes to: {0}.', oneLine(place)),
    );
  }

  /** The newest output as plain text. Its first line says if there was more. */
  async read(): Promise<string> {
    const { size } = await this.#file.stat();
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, size - bytes.length);
    const text = plainText([{ stream: 'stdout', bytes: bytes.subarray(0, bytesRead) }]);
    return size === bytes.length
      ? text
      : `${vscode.l10n.t('[The newest {0} of {1}]', byteText(MOST_BYTES, vscode.l10n), byteText(size, vscode.l10n))}\n${text}`;
  }

  /** Calls `changed` after new output, until the process has ended. */
  follow(changed: () => void, before = ''): void {
    this.#next.set(FOLLOW_MS, async () => {
      const isOver = this.#isOver();
      const info = await this.#file.stat().catch(() => undefined);
      const now = `${info?.size} ${info?.mtimeMs}`;
      if (info !== undefined && now !== before) {
        changed();
      }
      if (info !== undefined && !isOver) {
        this.follow(changed, now);
      }
    });
  }

  dispose(): void {
    this.#next.dispose();
    void this.#file.close();
  }
}
