import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';

import { type Clock, systemClock } from '../../core/index.js';
import { makeSureOfDescriptors } from '../child/systemRoom.js';
import type { OpenTerminals } from '../child/openTerminals.js';
import { hasMembers, membersOf, type SessionIdentity } from '../stop/posixSession.js';
import { canListProcesses, listProcesses } from '../marks/processTable.js';
import { type Command, guardCommand, guardEnv } from './command.js';
import { encodeMessage, encodeSessions, type ForkSign, type GuardMessage } from './messages.js';

/** Ends the POSIX sessions that it watches when this process dies in any way. */
export interface Guard {
  /** Announces a fork: until the new session is added, this sign identifies it. */
  expect(sign: ForkSign | undefined): void;
  /** Adds the POSIX session that a child of ours leads. Like the other methods, it never throws. */
  watch(identity: SessionIdentity): void;
  /** Stops watching a session whose leader has ended, as soon as none of its processes runs any more. */
  unwatchWhenEmpty(identity: SessionIdentity): void;
  /** Names a file in which the guard lists what it has stopped, see {@link readReport}. */
  reportTo(file: string): void;
  /** Names the notes of this process about its sandboxes, which the guard will sweep: see {@link sweepMountPoints}. */
  sweep(notes: string): void;
  /** Ends the guard; the sessions that it still watches are stopped. */
  dispose(): void;
}

/** The descriptor that the first file held open has in the guard. The guard's script itself uses lower ones. */
const FIRST_HELD = 4;

/** How long an ended session waits for others that end soon after it, in milliseconds. */
const SWEEP_MS = 500;
/**
 * The wait is also at least this many times the duration of the last look. With 200 processes a look takes 10 ms. Four
 * looks a second would be a tenth of the work while short programs ran one after the other.
 */
const SWEEP_REST = 50;
/** At a limit of the system, the guard cannot be started. With sessions to watch, it is tried again after this time. */
const RETRY_MS = 1_000;
const SHORTAGES: readonly unknown[] = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * The guard of a program that was built.
 *
 * @param folder The folder of the bundles, which contains the guard's folder.
 * @param onGiveUp Called if the guard ends again and again: from then on nothing is watched.
 */
export function bundledGuard(folder: string, onGiveUp: () => void): (openTerminals: OpenTerminals) => Guard {
  const program: Command = [process.execPath, path.join(folder, 'guard.js')];
  return (openTerminals) => new GuardProcess(program, openTerminals, onGiveUp);
}

/**
 * The same for a program that runs for days. Node and the guard are held open, so that the guard can start even if both
 * were removed. If a descriptor has no name of its own, they are found by their paths as usual.
 */
export function heldGuard(folder: string, onGiveUp: () => void): (openTerminals: OpenTerminals) => Guard {
  if (process.platform !== 'linux') {
    return bundledGuard(folder, onGiveUp);
  }
  const held = [process.execPath, path.join(folder, 'guard.js')].map((file) => openSync(file, 'r'));
  const [node, guard] = held.map((_, index) => `/proc/self/fd/${FIRST_HELD + index}`);
  // Without the option, Node would resolve the descriptor to its path.
  const program: Command = [node ?? '', '--preserve-symlinks-main', guard ?? ''];
  return (openTerminals) => new GuardProcess(program, openTerminals, onGiveUp, guardCommand, held);
}

/**
 * The guard is one small program at the other end of a pipe. However this process ends, the kernel closes the pipe. The
 * guard then reads the end of it and stops the sessions that are left. It starts with the first child, and again if it
 * dies.
 */
export class GuardProcess implements Guard {
  readonly #program: Command;
  #command: Command;
  readonly #openTerminals: OpenTerminals;
  readonly #onGiveUp: () => void;
  readonly #held: readonly number[];
  readonly #restarts: Restarts;
  readonly #watched = new Map<number, SessionIdentity>();
  /** Sessions whose leaders have ended, and that may be empty. */
  readonly #over = new Map<number, SessionIdentity>();
  #sweepTimer: NodeJS.Timeout | undefined;
  #sweepMs = SWEEP_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #process: ChildProcess | undefined;
  #report: string | undefined;
  #notes: string | undefined;
  #disposed = false;

  /**
   * @param program The program that stops sessions in the end: Node and the absolute path of its bundle.
   * @param onGiveUp Called if the guard ends again and again: from then on nothing is watched.
   * @param commandOf The command that waits and then becomes `program`.
   * @param held Descriptors that the guard gets, from {@link FIRST_HELD} on.
   */
  constructor(
    program: Command,
    openTerminals: OpenTerminals,
    onGiveUp: () => void = () => undefined,
    commandOf: (program: Command) => Command = guardCommand,
    held: readonly number[] = [],
    clock: Clock = systemClock,
  ) {
    this.#restarts = new Restarts(clock);
    this.#held = held;
    this.#program = program;
    this.#command = commandOf(program);
    this.#openTerminals = openTerminals;
    this.#onGiveUp = onGiveUp;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  expect(sign: ForkSign | undefined): void {
    // Before the fork, so that there is a guard for the first child as well.
    if (this.#process === undefined && !this.#restarts.isHopeless) {
      this.#start();
    }
    this.#send({ expect: sign });
  }

  watch(identity: SessionIdentity): void {
    this.#watched.set(identity.sid, identity);
    // An earlier session with this number has certainly ended.
    this.#over.delete(identity.sid);
    if (this.#process === undefined && !this.#restarts.isHopeless) {
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

  reportTo(file: string): void {
    // A line cannot contain another one.
    if (!file.includes('\n')) {
      this.#report = file;
      this.#send({ reportTo: file });
    }
  }

  sweep(notes: string): void {
    // Before the first note, so that there is a guard for the first sandbox as well.
    if (this.#process === undefined && !this.#restarts.isHopeless) {
      this.#start();
    }
    if (notes !== this.#notes && !notes.includes('\n')) {
      this.#notes = notes;
      this.#send({ notes });
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#sweepTimer);
    clearTimeout(this.#retryTimer);
    this.#process?.stdin?.end();
  }

  /** One look at the whole process table serves all sessions that have ended meanwhile. */
  async #sweep(): Promise<void> {
    const begun = performance.now();
    try {
      const isEmpty = await lookWhichAreEmpty();
      const empty = [...this.#over.values()].filter(isEmpty);
      for (const { sid } of empty) {
        this.#over.delete(sid);
        this.#watched.delete(sid);
      }
      if (empty.length > 0) {
        this.#sendAll();
      }
    } catch {
      // In a shortage all sessions stay watched; the guard looks for itself in the end.
    }
    this.#sweepMs = Math.max(SWEEP_MS, (performance.now() - begun) * SWEEP_REST);
    this.#sweepTimer = undefined;
  }

  #start(): void {
    try {
      this.#spawn();
    } catch {
      this.#process = undefined;
      this.#startLater();
    }
  }

  /** The start of the next child is the next attempt; with sessions already watched, a timer makes one earlier. */
  #startLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      if (this.#process === undefined && this.#watched.size > 0) {
        this.#start();
      }
    }, RETRY_MS).unref();
  }

  #spawn(): void {
    const [program, ...args] = this.#command;
    makeSureOfDescriptors();
    const child = spawn(program, args, {
      cwd: '/',
      env: guardEnv(process.env, encodeSessions([...this.#watched.values()])),
      detached: true,
      windowsHide: true,
      stdio: this.#openTerminals.shield([
        ...(['pipe', 'ignore', 'ignore'] as const),
        ...(this.#held.length > 0 ? (['ignore', ...this.#held] as const) : []),
      ]),
    });
    this.#process = child;
    let short = false;
    child.on('error', ({ code }: NodeJS.ErrnoException) => {
      short = SHORTAGES.includes(code);
      if (!short) {
        // This machine has no shell. The program can wait by itself.
        this.#command = this.#program;
      }
    });
    child.stdin?.on('error', () => undefined);
    child.once('close', () => {
      this.#process = undefined;
      if (this.#disposed) {
        return;
      }
      if (short) {
        this.#startLater();
      } else if (this.#restarts.next()) {
        this.#start();
      } else {
        this.#onGiveUp();
      }
    });
    // Neither the guard nor its pipe may keep this program running when it has nothing else to do.
    child.unref();
    if (child.stdin instanceof Socket) {
      child.stdin.unref();
    }
    this.#sendAll();
  }

  #sendAll(): void {
    if (this.#report !== undefined) {
      this.#send({ reportTo: this.#report });
    }
    if (this.#notes !== undefined) {
      this.#send({ notes: this.#notes });
    }
    this.#send({ watchOnly: [...this.#watched.values()] });
  }

  #send(message: GuardMessage): void {
    this.#process?.stdin?.write(encodeMessage(message));
  }
}

/**
 * Looks at the machine once. A number that stayed listed after its session ended could belong to another process later.
 * Windows has no POSIX sessions and therefore keeps no number. Where processes cannot be listed, the leader's group
 * counts.
 */
async function lookWhichAreEmpty(): Promise<(identity: SessionIdentity) => boolean> {
  if (process.platform === 'win32') {
    return () => true;
  }
  if (!canListProcesses()) {
    return ({ sid }) => !hasMembers(sid);
  }
  const rows = await listProcesses();
  return (identity) => membersOf(identity, rows).length === 0;
}

const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 10_000;

/**
 * Keeps a program that cannot run at all from being started for ever. A server runs for months, and its guard may be
 * killed now and then. Only restarts in quick succession therefore count.
 */
class Restarts {
  readonly #clock: Clock;
  #times: readonly number[] = [];
  #isHopeless = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it has ended again and again, and should not be started any more. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** Counts another restart. Returns whether it may start. */
  next(): boolean {
    const now = this.#clock.now();
    this.#times = this.#times.filter((time) => now - time < RESTARTS_WITHIN_MS);
    this.#isHopeless ||= this.#times.length === MOST_RESTARTS;
    this.#times = [...this.#times, now];
    return !this.#isHopeless;
  }
}
