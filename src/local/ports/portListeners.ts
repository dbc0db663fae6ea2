import { readFileSync } from 'node:fs';

import type { PortListener, UsedPort } from '../../core/index.js';
import { commandName } from '../marks/commandName.js';
import { readRow } from '../marks/processTable.js';
import type { ListeningSocket } from './listeningSockets.js';
import { holdersAmong, holdersOnMachine, holdsStill, type SocketHolder } from './socketHolders.js';
import type { SocketHistory } from './socketHistory.js';
import { usedPorts, usualAddress } from './usedPorts.js';
import { markOf } from '../marks/markedProcesses.js';

/** The process for which a port is looked at. */
export interface PortViewer {
  /** Whether a process belongs to it. */
  includes(kin: Kin): boolean;
  /** The processes of its POSIX session. */
  members(): Promise<readonly number[]>;
}

/** The holder of a socket, as far as it was found out. */
interface Finding {
  readonly holder: SocketHolder | undefined;
  readonly own: boolean;
  readonly processId: string | undefined;
  /** If no holder was found: the time from which another look is worth its cost. */
  readonly againAt: number;
}

type Sockets = readonly [ListeningSocket, ...ListeningSocket[]];

/** While no holder is found, looks at all processes take at most this part of the time. */
const REST_FACTOR = 20;
const SHORTEST_REST_MS = 1_000;

/**
 * Finds the listeners at ports, for one process. The holder of a socket is searched once, since that reads the open
 * files of all processes. Later calls only check that the holder still has it.
 */
export class PortListeners {
  readonly #history: SocketHistory;
  readonly #viewer: PortViewer;
  readonly #processOf: (lineage: readonly Kin[]) => string | undefined;
  /** The number of the look at the start of the viewer; undefined if there was no look. */
  readonly #atStart: Promise<number | undefined>;
  readonly #findings = new Map<number, Finding>();

  constructor(options: {
    history: SocketHistory;
    viewer: PortViewer;
    atStart: Promise<number | undefined>;
    /** The process of the backend to which a process belongs. The lineage begins with the process itself. */
    processOf: (lineage: readonly Kin[]) => string | undefined;
  }) {
    this.#history = options.history;
    this.#viewer = options.viewer;
    this.#atStart = options.atStart;
    this.#processOf = options.processOf;
  }

  /** @throws Error if the sockets of the machine cannot be listed now. */
  async at(port: number): Promise<readonly PortListener[]> {
    const atStart = await this.#atStart;
    const { sockets } = await this.#history.look();
    this.#forgetAllBut(new Set(sockets.map(({ inode }) => inode)));
    const here = sockets.filter((socket) => socket.port === port);
    await this.#find(here);
    return this.#grouped(here).map((group) => this.#listener(group, atStart));
  }

  /**
   * The ports at which some processes listen.
   *
   * @throws Error if the sockets of the machine cannot be listed now.
   */
  async portsOf(pids: readonly number[]): Promise<readonly UsedPort[]> {
    const { sockets } = await this.#history.look();
    const held = new Set(
      holdersAmong(pids, new Set(sockets.map(({ inode }) => inode))).map(({ inode }) => inode),
    );
    return usedPorts(sockets.filter(({ inode }) => held.has(inode)));
  }

  async #find(sockets: readonly ListeningSocket[]): Promise<void> {
    const listening = new Set(sockets.map(({ inode }) => inode));
    const unknown = new Set([...listening].filter((inode) => !this.#isKnown(inode)));
    if (unknown.size === 0) {
      return;
    }
    const began = performance.now();
    const near = holdersAmong(await this.#viewer.members(), unknown);
    this.#take(near);
    near.forEach(({ inode }) => unknown.delete(inode));
    if (unknown.size > 0) {
      this.#take(await holdersOnMachine(unknown).catch(() => []));
    }
    const ended = performance.now();
    const againAt = ended + Math.max(SHORTEST_REST_MS, REST_FACTOR * (ended - began));
    for (const inode of unknown) {
      if (!this.#isKnown(inode)) {
        this.#findings.set(inode, { holder: undefined, own: false, processId: undefined, againAt });
      }
    }
  }

  #isKnown(inode: number): boolean {
    const finding = this.#findings.get(inode);
    if (finding === undefined) {
      return false;
    }
    const stands =
      finding.holder === undefined ? performance.now() < finding.againAt : holdsStill(finding.holder);
    if (!stands) {
      this.#findings.delete(inode);
    }
    return stands;
  }

  /** Among several holders of a socket, the viewer's processes come first, then other processes of the backend. */
  #take(holders: readonly SocketHolder[]): void {
    const rank = ({ own, processId }: Finding) => (own ? 0 : processId !== undefined ? 1 : 2);
    for (const holder of holders) {
      const lineage = lineageOf(holder.pid);
      const own = lineage.some((kin) => this.#viewer.includes(kin));
      const finding = { holder, own, processId: this.#processOf(lineage), againAt: 0 };
      const before = this.#findings.get(holder.inode);
      if (before === undefined || rank(finding) < rank(before)) {
        this.#findings.set(holder.inode, finding);
      }
    }
  }

  #forgetAllBut(listening: ReadonlySet<number>): void {
    for (const inode of this.#findings.keys()) {
      if (!listening.has(inode)) {
        this.#findings.delete(inode);
      }
    }
  }

  /** The sockets of each process, or of each user if the process is unknown. */
  #grouped(sockets: readonly ListeningSocket[]): Sockets[] {
    const groups = new Map<string, Sockets>();
    for (const socket of sockets) {
      const holder = this.#findings.get(socket.inode)?.holder;
      const key = holder === undefined ? `user ${socket.uid}` : `process ${holder.pid}`;
      groups.set(key, [socket, ...(groups.get(key) ?? [])]);
    }
    return [...groups.values()];
  }

  #listener(sockets: Sockets, atStart: number | undefined): PortListener {
    const [{ inode, uid }] = sockets;
    const { holder, own = false, processId } = this.#findings.get(inode) ?? {};
    const row = holder && readRow(holder.pid);
    return {
      addresses: [...new Set(sockets.map(({ address }) => usualAddress(address)))],
      ...(holder && { pid: holder.pid, command: row && commandName(row) }),
      user: userName(uid),
      own,
      ...(processId !== undefined && { processId }),
      ...(!own &&
        atStart !== undefined && {
          later: sockets.some((socket) => this.#history.isLater(socket, atStart)),
        }),
    };
  }
}

/** The facts that tell to which session a process belongs. */
export interface Kin {
  readonly pid: number;
  readonly sid: number;
  readonly mark: string | undefined;
}

/** More than any tree of processes has. Ends the walk if numbers are reused meanwhile. */
const MOST_ANCESTORS = 64;

/** A process and its ancestors, itself first, without the first process of the machine. */
export function lineageOf(pid: number): readonly Kin[] {
  const lineage: Kin[] = [];
  let next = pid;
  while (next > 1 && lineage.length < MOST_ANCESTORS) {
    const row = readRow(next);
    if (row === undefined) {
      break;
    }
    lineage.push({ pid: row.pid, sid: row.sid, mark: markOf(row.pid) });
    next = row.ppid;
  }
  return lineage;
}

/** The name of a user of this machine; the number of a user that no file names. */
function userName(uid: number): string {
  return nameIn(passwd(), uid) ?? `uid ${uid}`;
}

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function nameIn(table: string, uid: number): string | undefined {
  const fields = table.split('\n').map((line) => line.split(':'));
  return fields.find(([, , number]) => number === String(uid))?.[0];
}
