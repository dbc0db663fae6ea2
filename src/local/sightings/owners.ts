import { identityKey, type ProcessIdentity } from '../../core/index.js';

/** A variable that commands of an agent inherit. */
export interface Mark {
  /** The id of the agent. */
  readonly agent: string;
  readonly value: string;
}

/** The facts that tell to whom a process belongs. */
export interface OwnerFacts extends ProcessIdentity {
  readonly ppid: number;
  /** The id of the agent that it is. */
  readonly agent: string | undefined;
  readonly isBorder: boolean;
  /** Whether it is a program of ours, or carries the mark of one of our sessions. */
  readonly isOurs: boolean;
  readonly marks: readonly Mark[];
  /** The finding of an earlier look. */
  readonly remembered?: Belonging | undefined;
}

/** The agents that a process belongs to. */
export interface Belonging {
  /** The ids of the agents; several if marks alone tell, and they differ. */
  readonly agents: readonly string[];
  /** The topmost process of the agent; undefined if marks alone tell. */
  readonly process?: ProcessIdentity | undefined;
  /** Whether it has left the tree of its agent, or was never seen there. */
  readonly isDetached: boolean;
}

/** Finds owners in one picture of all processes. */
export class Owners {
  readonly #facts: ReadonlyMap<number, OwnerFacts>;
  readonly #found = new Map<number, Belonging | 'ours' | undefined>();

  constructor(facts: ReadonlyMap<number, OwnerFacts>) {
    this.#facts = facts;
  }

  /** @returns `ours` for our own programs and everything in our sessions; undefined if no agent is known. */
  of(process: OwnerFacts): Belonging | 'ours' | undefined {
    // Parents come first, without recursion: a tree may have thousands of levels.
    const line: OwnerFacts[] = [];
    for (
      let next: OwnerFacts | undefined = process;
      next && !this.#found.has(next.pid);
      next = this.#parentOf(next)
    ) {
      line.push(next);
    }
    line.reverse().forEach((each) => this.#found.set(each.pid, this.#find(each)));
    return this.#found.get(process.pid);
  }

  /** The topmost process of the agent that a process is a part of: agents start their own program again. */
  agentOf(process: OwnerFacts): OwnerFacts | undefined {
    if (process.agent === undefined) {
      return undefined;
    }
    const parent = this.#parentOf(process);
    return parent?.agent === process.agent ? this.agentOf(parent) : process;
  }

  #find(process: OwnerFacts): Belonging | 'ours' | undefined {
    const parent = this.#parentOf(process);
    const above = parent && this.#found.get(parent.pid);
    if (process.isOurs || above === 'ours') {
      return 'ours';
    }
    const agent = parent && parent.agent !== process.agent ? this.agentOf(parent) : undefined;
    if (agent?.agent !== undefined) {
      return {
        agents: [agent.agent],
        process: { pid: agent.pid, startTime: agent.startTime },
        isDetached: false,
      };
    }
    const tree = parent?.isBorder === true ? undefined : above;
    const remembered = process.remembered && this.#now(process.remembered);
    const certain = [tree, remembered].find((found) => found?.process !== undefined);
    return certain ?? tree ?? remembered ?? this.#byMarks(process);
  }

  /** A process that has outlived its agent has not left it. */
  #now(before: Belonging): Belonging {
    const agent = before.process && this.#facts.get(before.process.pid);
    const lives = agent !== undefined && agent.startTime === before.process?.startTime;
    return { ...before, isDetached: before.isDetached || lives };
  }

  /** A mark says nothing below a border that carries it too: everything below inherits it. */
  #byMarks(process: OwnerFacts): Belonging | undefined {
    let border = this.#parentOf(process);
    while (border?.isBorder === false) {
      border = this.#parentOf(border);
    }
    const told = process.marks.filter(
      ({ agent, value }) =>
        border?.marks.some((mark) => mark.agent === agent && mark.value === value) !== true,
    );
    return told.length === 0 ? undefined : { agents: told.map(({ agent }) => agent), isDetached: true };
  }

  /** A process that is younger than its child has got the number of the parent. */
  #parentOf({ pid, ppid, startTime }: OwnerFacts): OwnerFacts | undefined {
    const parent = this.#facts.get(ppid);
    return ppid !== pid && Number(parent?.startTime) <= Number(startTime) ? parent : undefined;
  }
}

type Agents = Pick<Belonging, 'agents' | 'process'>;

/** Whether two processes belong to the same agent. */
export function isSameOwner(one: Agents, other: Agents): boolean {
  const key = ({ process, agents }: Agents) => (process ? identityKey(process) : agents.join());
  return key(one) === key(other);
}
