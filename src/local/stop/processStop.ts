import {
  CTRL_C,
  ExecError,
  identityKey,
  type ProcessIdentity,
  type ProcessLog,
  type StopOptions,
  type StopReport,
  type StopStep,
  type Survivor,
  systemClock,
} from '../../core/index.js';
import type { Child } from '../child/child.js';
import { holds, holdersOf } from './holders.js';
import { processesMarked } from '../marks/markedProcesses.js';
import {
  killGroup,
  OneProcess,
  PIPE_LADDER,
  PosixSession,
  SURVIVOR_LADDER,
  TERMINAL_LADDER,
  type SessionIdentity,
} from './posixSession.js';
import { groupFor, sendableSignals } from './signals.js';
import type { ProcessRow } from '../marks/processTable.js';
import { climbStopLadder } from './stopLadder.js';
import {
  killTree,
  WINDOWS_PIPE_LADDER,
  WINDOWS_TERMINAL_LADDER,
  WindowsTree,
} from '../windows/windowsTree.js';

const WINDOWS = process.platform === 'win32';

/** The facts and actions that a stop needs from the process that it stops. */
export interface StoppedProcess {
  readonly processId: string;
  readonly log: ProcessLog;
  readonly command: string;
  readonly tty: boolean;
  readonly mark: string | undefined;
  /** Undefined before the process exists. */
  readonly identity: SessionIdentity | undefined;
  readonly child: Child | undefined;
  write(bytes: Uint8Array): Promise<unknown>;
}

export interface StopLook {
  /**
   * Whether to look, at the end, for processes that have detached themselves. Otherwise the report does not name them.
   */
  readonly thorough: boolean;
}

/**
 * Stops a process and everything that belongs to it, by the ladder for its kind, and knows which processes survived.
 * The steps wait for the kernel, so they use real time and no injected clock.
 */
export class ProcessStop {
  readonly #process: StoppedProcess;
  /** The survivors that have been named, by identity. */
  readonly #named = new Map<string, Survivor>();

  constructor(process: StoppedProcess) {
    this.#process = process;
  }

  /** Sends a signal to the process and its group, unless it has exited. */
  async signal(name: string): Promise<void> {
    const { identity, tty } = this.#process;
    const signal = sendableSignals().find((known) => known === name);
    if (signal === undefined) {
      throw new ExecError({ kind: 'unknownSignal', name });
    }
    if (identity === undefined || this.#hasExited) {
      return;
    }
    if (WINDOWS) {
      await this.#signalOnWindows(signal, identity.sid);
    } else {
      killGroup(await groupFor(signal, identity.sid, tty), signal);
    }
  }

  async #signalOnWindows(signal: NodeJS.Signals, pid: number): Promise<void> {
    if (signal === 'SIGKILL') {
      await killTree(pid);
    } else if (this.#process.tty) {
      await this.#process.write(CTRL_C);
    } else {
      throw new ExecError({ kind: 'noInterrupt', processId: this.#process.processId });
    }
  }

  /** Climbs the whole ladder. */
  run(options: StopOptions, look: StopLook): Promise<StopReport> {
    const posixLadder = this.#process.tty ? TERMINAL_LADDER : PIPE_LADDER;
    const windowsLadder = this.#process.tty ? WINDOWS_TERMINAL_LADDER : WINDOWS_PIPE_LADDER;
    return this.climb(WINDOWS ? windowsLadder : posixLadder, options, look);
  }

  async climb(
    ladder: readonly StopStep[],
    options: StopOptions,
    { thorough }: StopLook,
  ): Promise<StopReport> {
    const { identity, command } = this.#process;
    if (identity === undefined) {
      return { running: false, steps: [], exited: this.#hasExited, survivors: [] };
    }
    const hasExited = () => this.#hasExited;
    if (WINDOWS) {
      const interrupt = () => void this.#process.write(CTRL_C);
      return climbStopLadder(
        new WindowsTree(identity.sid, command, hasExited, interrupt),
        ladder,
        systemClock,
        options,
      );
    }
    const mark = thorough ? this.#process.mark : undefined;
    const target = new PosixSession(identity, {
      hasExited,
      outside: (rows) => [...this.#holdersOutside(identity.sid, rows), ...this.#namedOutside(rows)],
      detached: mark === undefined ? undefined : () => processesMarked(mark),
    });
    return this.#naming(await climbStopLadder(target, ladder, systemClock, options));
  }

  /** @throws ExecError noProcessTable */
  async survivors(): Promise<readonly Survivor[]> {
    if (!this.#hasExited || WINDOWS) {
      return [];
    }
    const { survivors, survivorsUnknown } = await this.climb([], {}, { thorough: true });
    if (survivorsUnknown === true) {
      throw new ExecError({ kind: 'noProcessTable' });
    }
    return survivors;
  }

  /** @throws ExecError noSurvivor unless an earlier call has named it */
  async endSurvivor(survivor: ProcessIdentity, options: StopOptions): Promise<StopReport> {
    if (!this.#named.has(identityKey(survivor))) {
      throw new ExecError({ kind: 'noSurvivor', pid: survivor.pid });
    }
    return climbStopLadder(new OneProcess(survivor), SURVIVOR_LADDER, systemClock, options);
  }

  get #hasExited(): boolean {
    return this.#process.log.exit !== undefined;
  }

  /** Whether it has exited while other processes keep it from closing. */
  get #isHeldOpen(): boolean {
    return this.#hasExited && !this.#process.log.ended;
  }

  #naming(report: StopReport): StopReport {
    const survivors = report.survivors.map((survivor) =>
      this.#holdsOutput(survivor) ? { ...survivor, holdsOutput: true } : survivor,
    );
    for (const survivor of survivors) {
      this.#named.set(identityKey(survivor), survivor);
    }
    return { ...report, survivors };
  }

  /** Whether another process keeps this one, which has exited, from closing. */
  #holdsOutput({ pid }: ProcessIdentity): boolean {
    const links = this.#process.child?.outputLinks;
    return this.#isHeldOpen && links !== undefined && holds(pid, links);
  }

  /** The processes in other POSIX sessions that keep an exited process from closing. */
  #holdersOutside(sid: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
    const { child } = this.#process;
    return !this.#isHeldOpen || child === undefined
      ? []
      : holdersOf(child.outputLinks, rows).filter((row) => row.sid !== sid);
  }

  /**
   * Survivors named earlier that no other look would find again: their parents have ended, and they may have no mark.
   */
  #namedOutside(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    return rows.filter((row) => this.#named.get(identityKey(row))?.why === 'otherSession');
  }
}
