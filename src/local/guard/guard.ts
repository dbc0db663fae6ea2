import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

import type { OpenTerminals } from '../openTerminals.js';
import { listProcesses, readRow } from '../processTable.js';
import { encodeMessage, type GuardMessage } from './messages.js';

/** Ends the POSIX sessions it watches when this process dies, however it dies. */
export interface Guard {
  /** Adds the POSIX session that a child of ours leads. */
  watch(sid: number): void;
  /** Takes it off again, unless something of it still runs. */
  unwatchIfEmpty(sid: number): void;
  /** Ends the guard; what it still watches is stopped. */
  dispose(): void;
}

/** One that cannot run at all must not be started for ever. */
const MAX_RESTARTS = 3;

/**
 * The guard as one small program at the other end of a pipe. However this process ends, the kernel closes the pipe; the
 * guard then reads its end and stops what is left. It is started with the first child, and again if it should die.
 */
export class GuardProcess implements Guard {
  readonly #argv: readonly [string, ...string[]];
  readonly #openTerminals: OpenTerminals;
  readonly #onGiveUp: () => void;
  readonly #watched = new Map<number, GuardMessage>();
  #process: ChildProcess | undefined;
  #restarts = 0;
  #disposed = false;

  /**
   * @param argv How to start the program: Node, and the absolute path of its bundle.
   * @param onGiveUp Called if it ends again and again: from then on nothing is watched.
   */
  constructor(
    argv: readonly [string, ...string[]],
    openTerminals: OpenTerminals,
    onGiveUp: () => void = () => undefined,
  ) {
    this.#argv = argv;
    this.#openTerminals = openTerminals;
    this.#onGiveUp = onGiveUp;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  watch(sid: number): void {
    const message: GuardMessage = { watch: sid, startTime: readRow(sid)?.startTime };
    this.#watched.set(sid, message);
    if (this.#process === undefined && this.#restarts < MAX_RESTARTS) {
      this.#start();
    } else {
      this.#send(message);
    }
  }

  unwatchIfEmpty(sid: number): void {
    if (!this.#watched.has(sid)) {
      return;
    }
    void listProcesses().then((rows) => {
      if (!rows.some((row) => row.sid === sid)) {
        this.#watched.delete(sid);
        this.#send({ unwatch: sid });
      }
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#process?.stdin?.end();
  }

  #start(): void {
    const [program, ...args] = this.#argv;
    const child = spawn(program, args, {
      cwd: '/',
      // In VS Code's desktop the program is Electron, which is Node only if it is told so.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      detached: true,
      windowsHide: true,
      stdio: this.#openTerminals.shield(['pipe', 'ignore', 'ignore']),
    });
    this.#process = child;
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.once('close', () => {
      this.#process = undefined;
      if (this.#disposed) {
        return;
      }
      if (this.#restarts === MAX_RESTARTS) {
        this.#onGiveUp();
      } else {
        this.#restarts += 1;
        this.#start();
      }
    });
    // Neither the guard nor the pipe to it keeps a program running that has nothing else to do.
    child.unref();
    if (child.stdin instanceof Socket) {
      child.stdin.unref();
    }
    for (const message of this.#watched.values()) {
      this.#send(message);
    }
  }

  #send(message: GuardMessage): void {
    this.#process?.stdin?.write(encodeMessage(message));
  }
}
