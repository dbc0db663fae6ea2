import {
  checkPort,
  ExecError,
  type PortListener,
  type ProcessLog,
  type ProcessUsage,
} from '../../core/index.js';
import { isSession, membersOf, type SessionIdentity } from '../stop/posixSession.js';
import { LocalPorts } from '../ports/localPorts.js';
import { lsofPorts } from '../ports/usedPorts.js';
import type { Kin, PortListeners, PortViewer } from '../ports/portListeners.js';
import { listProcesses } from './processTable.js';
import { belongingsOf, isUsageKnown, usageOf } from '../usage.js';

/** The process to look at. */
interface SeenProcess {
  readonly log: ProcessLog;
  readonly mark: string | undefined;
  /** Undefined before the process exists. */
  readonly identity: SessionIdentity | undefined;
  /** The processes that make its sandbox, which do not count. */
  readonly wrapper: readonly number[];
}

/** A look at a process and everything that belongs to it: its ports, its processor time, and its memory. */
export class ProcessSight implements PortViewer {
  readonly #process: SeenProcess;
  readonly #portListeners: PortListeners;

  constructor(process: SeenProcess, portListeners: (viewer: PortViewer) => PortListeners) {
    this.#process = process;
    this.#portListeners = portListeners(this);
  }

  /** @throws ExecError `unsupported`, or `badPort` if that is not a port */
  async listeners(port: number): Promise<readonly PortListener[]> {
    checkPort(port);
    if (!LocalPorts.areListed) {
      throw new ExecError({ kind: 'unsupported', feature: 'listeners' });
    }
    return this.#portListeners.at(port);
  }

  /**
   * @returns undefined once the process has exited.
   * @throws ExecError unsupported
   */
  async usage(): Promise<ProcessUsage | undefined> {
    if (!isUsageKnown()) {
      throw new ExecError({ kind: 'unsupported', feature: 'usage' });
    }
    const { identity, mark, log, wrapper } = this.#process;
    const all = identity === undefined ? [] : await belongingsOf(identity, mark);
    const pids = all.filter((pid) => !wrapper.includes(pid));
    return log.exit !== undefined || pids.length === 0
      ? undefined
      : usageOf(pids, (those) =>
          LocalPorts.areListed ? this.#portListeners.portsOf(those) : lsofPorts(those),
        );
  }

  includes({ sid, mark }: Kin): boolean {
    const { identity } = this.#process;
    const isMarked = this.#process.mark !== undefined && mark === this.#process.mark;
    return isMarked || (identity !== undefined && isSession(identity, sid));
  }

  async members(): Promise<readonly number[]> {
    const rows = await listProcesses().catch(() => []);
    const { identity } = this.#process;
    return identity === undefined ? [] : membersOf(identity, rows).map(({ pid }) => pid);
  }
}
