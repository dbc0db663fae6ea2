import { readlinkSync } from 'node:fs';

import {
  type Clock,
  commandText,
  LINE_LENGTH,
  maskSecrets,
  oneLine,
  type Sighting,
  type SightingOwner,
  type SightingSource,
  systemClock,
  withoutUnseen,
} from '../../core/index.js';
import { argumentsOf } from '../marks/commandName.js';
import { inSlices } from '../marks/processTable.js';
import { startedAtOf } from '../stop/leftByEnded.js';
import type { DoorRecord, DoorRecords } from './doorRecord.js';
import type { Belonging } from './owners.js';
import { Picture } from './picture.js';
import { SeenProcesses, type SeenProcess, type Shown } from './seenProcesses.js';
import { TreeUsage } from './treeUsage.js';

/** A mark that identifies a conversation, and not a process. */
const CONVERSATION = /^(?!\d+$)[\w.:-]{1,100}$/;
/** For so long an answer is shared, in milliseconds. */
const SHARED_MS = 1_000;
/** More of a command line is not searched for secrets, in characters. */
const READ_LENGTH = 10 * LINE_LENGTH;

/** Looks at the processes that are no sessions of ours, and remembers their owners. */
export class Sightings implements SightingSource {
  readonly #door: DoorRecords | undefined;
  readonly #clock: Clock;
  readonly #processes = new SeenProcesses();
  readonly #usage = new TreeUsage();
  /** The processes of all rows, by their numbers. */
  #watched: ReadonlySet<number> = new Set();
  #answer: Promise<readonly Sighting[]> | undefined;
  #askedAt = 0;

  constructor(door?: DoorRecords, clock = systemClock) {
    this.#door = door;
    this.#clock = clock;
  }

  look(): Promise<readonly Sighting[]> {
    const now = this.#clock.now();
    if (this.#answer === undefined || now - this.#askedAt >= SHARED_MS) {
      const before = this.#answer?.catch(() => undefined);
      this.#askedAt = now;
      this.#answer = Promise.resolve(before).then(() => this.#look());
    }
    return this.#answer;
  }

  async #look(): Promise<readonly Sighting[]> {
    const seen = await this.#processes.look((pid) => this.#watched.has(pid));
    const read = this.#door?.read() ?? [];
    const records = read.map((record) => ({ ...record, cwd: withoutUnseen(record.cwd) }));
    const picture = new Picture(seen, records);
    const { trees } = picture;
    this.#watched = new Set([...trees.values()].flat().map(({ pid }) => pid));
    await this.#usage.look(this.#watched);
    const recordOf = new Map(records.map((record) => [record.pid, record]));
    const rows: Sighting[] = [];
    await inSlices(trees, ([root, tree]) => {
      rows.push(this.#row(root, tree, recordOf.get(root.sid), picture));
    });
    return [...rows, ...records.flatMap(endedRow)];
  }

  #row(
    root: SeenProcess,
    tree: readonly SeenProcess[],
    starter: DoorRecord | undefined,
    picture: Picture,
  ): Sighting {
    const { pid, startTime, sid } = root;
    const record = pid === starter?.pid && startTime === starter.startTime ? starter : undefined;
    const origin = record ?? (starter && isStartedBy(root, starter) ? starter : undefined);
    const belonging = picture.belongingOf(root);
    const { kind, command, startedAt } = (root.shown ??= this.#read(root, picture));
    const agent = belonging?.process ?? (origin && picture.agentAt(origin));
    const owner = origin ? handedOver(origin) : belonging && ownerOf(root, belonging);
    return {
      ...{ pid, startTime, sid, startedAt, processes: tree.length, ...this.#usage.of(tree) },
      kind: record ? 'command' : kind,
      handedOver: record !== undefined,
      command: record?.command ?? command,
      cwd: record?.cwd ?? folderOf(pid),
      owner: owner && { ...owner, pid: agent && picture.runs(agent) ? agent.pid : undefined },
      detached: belonging?.isDetached === true && origin === undefined,
      shared: picture.isShared(root, tree),
    };
  }

  #read(root: SeenProcess, picture: Picture): Shown {
    const argv = argumentsOf(root.pid);
    return {
      kind: picture.kindOf(root),
      command: readable(argv.length === 0 ? root.command : commandText(argv)),
      startedAt: startedAtOf(root, this.#clock.wallTime()),
    };
  }
}

function ownerOf({ marks }: SeenProcess, { agents, process }: Belonging): SightingOwner {
  const mark = agents.length === 1 ? marks.find(({ agent }) => agent === agents[0]) : undefined;
  const conversation = mark && CONVERSATION.test(mark.value) ? mark.value : undefined;
  return { agents, claimed: process === undefined, conversation };
}

/** Whether a background job of a command says, by its mark and its POSIX session, where it comes from. */
function isStartedBy({ marks }: SeenProcess, { agent, conversation }: DoorRecord): boolean {
  return marks.some((mark) => mark.agent === agent && mark.value === conversation);
}

function handedOver({ agent, conversation }: DoorRecord): SightingOwner {
  return { agents: [agent], conversation, claimed: false };
}

function endedRow(record: DoorRecord): Sighting[] {
  const { pid, startTime, command, cwd, end } = record;
  const what = { kind: 'command', handedOver: true, command, cwd } as const;
  const none = { sid: 0, processes: 0, detached: false, shared: false };
  return end === undefined ? [] : [{ pid, startTime, ...what, ...none, owner: handedOver(record), end }];
}

/** A text of others on one line, without secrets. */
function readable(text: string): string {
  return oneLine(maskSecrets(text.slice(0, READ_LENGTH)), LINE_LENGTH);
}

/** The directory of a process, on one line; undefined if it cannot be read. */
export function folderOf(pid: number): string | undefined {
  try {
    return withoutUnseen(readlinkSync(`/proc/${pid}/cwd`));
  } catch {
    return undefined; // It has ended, or cannot be read.
  }
}
