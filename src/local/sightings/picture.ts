import type { ProcessIdentity, SightingKind } from '../../core/index.js';
import { type Belonging, isSameOwner, Owners } from './owners.js';
import type { DoorRecord } from './doorRecord.js';
import type { SeenProcess } from './seenProcesses.js';

/** All processes at one moment: which of them have rows, and what belongs to a row. */
export class Picture {
  /** The topmost processes of the rows, with everything below each. */
  readonly trees: ReadonlyMap<SeenProcess, readonly SeenProcess[]>;
  readonly #seen: ReadonlyMap<number, SeenProcess>;
  readonly #owners: Owners;
  readonly #children = new Map<number, SeenProcess[]>();
  /** Start times by process numbers. */
  readonly #handedOver: ReadonlyMap<number, string>;

  /**
   * Also lets the processes remember their owners.
   *
   * @param handedOver Processes that have rows in any case, unless they are ours.
   */
  constructor(seen: ReadonlyMap<number, SeenProcess>, handedOver: readonly ProcessIdentity[]) {
    this.#seen = seen;
    this.#owners = new Owners(seen);
    this.#handedOver = new Map(handedOver.map(({ pid, startTime }) => [pid, startTime]));
    const begins: SeenProcess[] = [];
    for (const process of seen.values()) {
      const siblings = this.#children.get(process.ppid);
      if (siblings === undefined) {
        this.#children.set(process.ppid, [process]);
      } else {
        siblings.push(process);
      }
      if (process.isOwn && this.#mayBegin(process)) {
        begins.push(process);
      }
    }
    // Nothing else can have a row: only these, and what is below them, belong to an agent or a terminal.
    const near = this.#below(begins);
    near.forEach((process) => (process.remembered = this.belongingOf(process) ?? process.remembered));
    const roots = near.filter((process) => process.isOwn && process.isSettled && this.#isRoot(process));
    this.trees = new Map(roots.map((root) => [root, this.#below([root])]));
  }

  belongingOf(process: SeenProcess): Belonging | undefined {
    const found = this.#owners.of(process);
    return found === 'ours' ? undefined : found;
  }

  /** Agents start commands in POSIX sessions of their own, and helpers in theirs. */
  kindOf(root: SeenProcess): SightingKind {
    if (root.agent !== undefined || this.belongingOf(root) === undefined) {
      return root.agent === undefined ? 'job' : 'agent';
    }
    const parent = this.#seen.get(root.ppid);
    return parent?.agent !== undefined && parent.sid === root.sid ? 'helper' : 'command';
  }

  /** The agent that has started a command, if it still runs. */
  agentAt({ ppid, agent, startTime }: DoorRecord): ProcessIdentity | undefined {
    const parent = this.#seen.get(ppid);
    return parent?.agent === agent && Number(parent.startTime) <= Number(startTime) ? parent : undefined;
  }

  /** Whether a process still runs. */
  runs({ pid, startTime }: ProcessIdentity): boolean {
    return this.#seen.get(pid)?.startTime === startTime;
  }

  /** Whether programs of other owners use a tree, or are in it. */
  isShared(root: SeenProcess, tree: readonly SeenProcess[]): boolean {
    const own = root.agent === undefined ? this.belongingOf(root) : { agents: [root.agent], process: root };
    return tree.some((process) => {
      const belonging = process === root ? undefined : this.belongingOf(process);
      return process.isDaemon || (belonging && (own === undefined || !isSameOwner(own, belonging)));
    });
  }

  #mayBegin(process: SeenProcess): boolean {
    const { agent, marks, remembered, foregroundPgid } = process;
    const isKnown = agent !== undefined || marks.length > 0 || remembered !== undefined;
    return isKnown || foregroundPgid > 0 || this.#isHandedOver(process);
  }

  #isHandedOver({ pid, startTime }: ProcessIdentity): boolean {
    return this.#handedOver.get(pid) === startTime;
  }

  /** Some processes and everything below them, without our programs and sessions. */
  #below(begins: readonly SeenProcess[]): readonly SeenProcess[] {
    const tree = new Set(begins);
    for (const process of tree) {
      for (const child of this.#children.get(process.pid) ?? []) {
        if (this.#owners.of(child) !== 'ours') {
          tree.add(child);
        }
      }
    }
    return [...tree];
  }

  #isRoot(process: SeenProcess): boolean {
    const found = this.#owners.of(process);
    if (found === 'ours') {
      return false;
    }
    if (process.agent !== undefined) {
      return this.#owners.agentOf(process) === process;
    }
    if (this.#isHandedOver(process)) {
      return true;
    }
    if (found === undefined) {
      return this.#isJob(process);
    }
    const parent = this.#seen.get(process.ppid);
    const above = parent?.isBorder === false ? this.belongingOf(parent) : undefined;
    return parent?.agent !== undefined || above === undefined || !isSameOwner(found, above);
  }

  /** Whether it leads the job in the foreground of its terminal; the terminal's own shell leads no job. */
  #isJob({ ppid, pgid, pid, sid, foregroundPgid, isShell }: SeenProcess): boolean {
    const leads = pid === pgid || (!this.#seen.has(pgid) && this.#seen.get(ppid)?.pgid !== pgid);
    return foregroundPgid > 0 && foregroundPgid === pgid && pgid !== sid && leads && !isShell;
  }
}
