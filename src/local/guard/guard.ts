import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

import type { OpenTerminals } from '../openTerminals.js';
import { membersOf, type SessionIdentity } from '../posixSession.js';
import { listProcesses } from '../processTable.js';
import { guardCommand, guardEnvironment, type Command } from './command.js';
import { encodeMessage, type GuardMessage } from './messages.js';

/** Ends the POSIX sessions it watches when this process dies, however it dies. */
export interface Guard {
  /** Adds the POSIX session that a child of ours leads. Never throws, like the others. */
  watch(identity: SessionIdentity): void;
  /** Takes it off again, as soon as nothing of it runs any more. Its leader has ended. */
  unwatchWhenEmpty(identity: SessionIdentity): void;
  /** Ends the guard; what it still watches is stopped. */
  dispose(): void;
}

/** How long an ended session waits for the others that end soon after it, in milliseconds. */
const SWEEP_MS = 500;
/**
 * And how many times as long as the last look took: 200 processes take 10 ms, and four looks a second were a tenth of the
 * work while short programs ran one after the other.
 */
const SWEEP_REST = 50;
/** One that cannot run at all must not be started for ever. */
const MAX_RESTARTS = 3;

/**
 * The guard as one small program at the other end of a pipe. However this process ends, the kernel closes the pipe; the
 * guard then reads its end and stops what is left. It is started with the first child, and again if it should die.
 */
export class GuardProcess implements Guard {
  readonly #program: Command;
  #command: Command;
  readonly #openTerminals: OpenTerminals;
  readonly #onGiveUp: () => void;
  readonly #watched = new Map<number, SessionIdentity>();
  /** Sessions whose leaders have ended, and that may be empty. */
  readonly #over = new Map<number, SessionIdentity>();
  #sweepTimer: NodeJS.Timeout | undefined;
  #sweepMs = SWEEP_MS;
  #process: ChildProcess | undefined;
  #restarts = 0;
  #disposed = false;

  /**
   * @param program What stops things in the end: Node, and the absolute path of its bundle.
   * @param onGiveUp Called if it ends again and again: from then on nothing is watched.
   * @param commandOf How to start that, and what waits until then.
   */
  constructor(
    program: Command,
    openTerminals: OpenTerminals,
    onGiveUp: () => void = () => undefined,
    commandOf: (program: Command) => Command = guardCommand,
  ) {
    this.#program = program;
    this.#command = commandOf(program);
    this.#openTerminals = openTerminals;
    this.#onGiveUp = onGiveUp;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  watch(identity: SessionIdentity): void {
    this.#watched.set(identity.sid, identity);
    // Whoever had the number before is over for good.
    this.#over.delete(identity.sid);
    if (this.#process === undefined && this.#restarts < MAX_RESTARTS) {
      this.#start();
    } else {
      this.#send({ watch: identity });
    }
  }

  unwatchWhenEmpty(identity: SessionIdentity): void {
    if (this.#watched.has(identity.sid)) {
      this.#over.set(identity.sid, identity);
      this.#sweepTimer ??= setTimeout(() => void this.#sweep(), this.#sweepMs).unref();
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#sweepTimer);
    this.#process?.stdin?.end();
  }

  /** One look for all that have ended in the meantime: it reads the whole process table. */
  async #sweep(): Promise<void> {
    const begun = performance.now();
    try {
      // Windows has no sessions, and a number that stays on the list could be somebody else's by the end.
      const rows = process.platform === 'win32' ? [] : await listProcesses();
      const empty = [...this.#over.values()].filter((identity) => membersOf(identity, rows).length === 0);
      for (const { sid } of empty) {
        this.#over.delete(sid);
        this.#watched.delete(sid);
      }
      if (empty.length > 0) {
        this.#sendAll();
      }
    } catch {
      // Without a list all stay watched, and the guard looks for itself.
    }
    this.#sweepMs = Math.max(SWEEP_MS, (performance.now() - begun) * SWEEP_REST);
    this.#sweepTimer = undefined;
  }

  #start(): void {
    try {
      this.#spawn();
    } catch {
      // No descriptors are left, say. The next child is the next occasion.
      this.#process = undefined;
    }
  }

  #spawn(): void {
    const [program, ...args] = this.#command;
    const child = spawn(program, args, {
      cwd: '/',
      env: guardEnvironment(process.env),
      detached: true,
      windowsHide: true,
      stdio: this.#openTerminals.shield(['pipe', 'ignore', 'ignore']),
    });
    this.#process = child;
    child.on('error', () => {
      // There is no shell here. The program can wait by itself.
      this.#command = this.#program;
    });
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
    this.#sendAll();
  }

  #sendAll(): void {
    this.#send({ watchOnly: [...this.#watched.values()] });
  }

  #send(message: GuardMessage): void {
    this.#process?.stdin?.write(encodeMessage(message));
  }
}
