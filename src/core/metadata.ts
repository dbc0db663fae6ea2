import type { FolderNote } from './launch/folderEnvironment.js';
import { isRecord } from './unknownValues.js';

/**
 * The metadata of the process of a session: facts that the programs which show the session tell each other, beyond what
 * the process itself tells. Any client of the server may have written anything there. Each key therefore has a reader,
 * which treats an unreadable value as missing.
 */

/** Data that clients want to remember with a process, as JSON. A backend stores it without looking at it. */
export type ProcessMetadata = Readonly<Record<string, unknown>>;

/** The starter of a session. */
export interface SessionOrigin {
  readonly kind: string;
  readonly name?: string;
  /** The agent's conversation, and its call of a tool there. */
  readonly conversation?: string;
  readonly call?: string;
}

/**
 * The causes that can end a session.
 *
 * - `keepWithoutClient`: its time without a client was over.
 * - `server`: the session server was ended, and its sessions with it.
 * - `window`: the VS Code window that ran it itself was closed.
 * - `guard`: the server or the window ended abruptly, and its guard stopped the processes that were left.
 */
const CAUSE_KINDS = ['person', 'agent', 'keepWithoutClient', 'server', 'window', 'guard'] as const;

/** The cause of a session's end, as far as it is known. */
export interface ReceiptCause {
  readonly kind: (typeof CAUSE_KINDS)[number];
  readonly name?: string;
  /** For `keepWithoutClient`: the time without a client. */
  readonly afterSeconds?: number;
  /** For `server`: the signal that ended it. For `agent`: the signal that it sent and that ended the program. */
  readonly signal?: string;
}

/** A person or an agent that has acted on a session. `foreign`: an agent, acting on the session of another agent. */
export interface Doer {
  readonly kind: 'person' | 'agent';
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly foreign: boolean;
}

/** The last signal that a person or an agent has sent. */
interface SentSignal extends Doer {
  readonly signal: string;
  /** Milliseconds since 1970. */
  readonly at: number | undefined;
}

/** The agent that a session belongs to, and the session's number for agents. */
export interface SessionOwner {
  readonly number: number;
  readonly id: string;
  readonly name: string;
}

/** The longest id of a session, in characters. */
const ID_LENGTH = 100;
/** The longest kind of an origin, in characters. */
const KIND_LENGTH = 60;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const identifier = (value: unknown): string | undefined => {
  const id = text(value);
  return id !== undefined && id.length <= ID_LENGTH ? id : undefined;
};
const flag = (value: unknown): boolean => value === true;
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const words = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const readers = {
  /** The id of the session, the same in all programs. */
  sessionId: identifier,
  /** The session's number, from the server that owns it. A session of an agent has its number in `agent`. */
  number: (value) => (isCount(value) ? value : undefined),
  /** The session that this one repeats. */
  previousId: text,
  /** The id that sessions have in common which run one command in several environments. */
  batch: identifier,
  /** The name that a person has given the session. */
  title: text,
  commandLine: text,
  /** The folder of the window, or of the command line, that started the session. */
  folder: text,
  /** The environment of its folder. Its presence says that a start once more takes that anew. */
  folderEnvironment: (value): FolderNote | undefined => {
    const { with: has, without, names } = record(value);
    return Array.isArray(names)
      ? { with: words(has), without: words(without), names: words(names) }
      : undefined;
  },
  origin: originIn,
  stderrToStdout: flag,
  inputClosed: flag,
  /** Whether the session continues without any client. */
  keep: flag,
  /** Whether its output should be on disk; undefined leaves that to the server's setting. */
  keepOutput: (value) => (typeof value === 'boolean' ? value : undefined),
  /** Whether its output is on disk, as the server says. */
  outputKept: flag,
  /** The reason why its output is no longer on disk. */
  keepOutputEnded: (value) => text(record(value)['reason']),
  /** The reason why its receipt is not written; undefined if it is written, or not wanted. */
  receiptUnwritten: text,
  /** The side that may type, in a session of an agent. */
  controller: (value): 'person' | 'agent' => (value === 'person' ? 'person' : 'agent'),
  /** The reason why the session waits for a person. */
  waitsFor: (value) => (value === 'secret' ? value : undefined),
  /** The cause of its end as a receipt has it, and the person or agent that caused it. */
  endedBy: (value) => {
    const cause = causeIn(value);
    return cause && { cause, by: doer(value) };
  },
  signalledBy: (value): SentSignal | undefined => {
    const { signal, at } = record(value);
    return typeof signal === 'string' ? { ...doer(value), signal, at: finite(at) } : undefined;
  },
  agent: (value): SessionOwner | undefined => {
    const { number, id, name } = record(value);
    return typeof id === 'string' && typeof name === 'string' && isCount(number)
      ? { number, id, name }
      : undefined;
  },
  /** When its agent left, in milliseconds since 1970. */
  leftAt: finite,
  /** How far agents have read the output, by their names. */
  cursors: record,
  /** The last change by an agent of a program other than that of its own agent: the tool that it called, and when. */
  usedBy: (value) => {
    const { name, tool, at } = record(value);
    return typeof name === 'string' && typeof at === 'number' ? { name, tool, at } : undefined;
  },
} as const satisfies Readonly<Record<string, (value: unknown) => unknown>>;

export type MetadataKey = keyof typeof readers;

/** The values that the metadata may have, key by key. */
export type Metadata = { readonly [K in MetadataKey]: ReturnType<(typeof readers)[K]> };

/** The marks that people set in one window: the session stays at the top, or its end is announced. */
export const WINDOW_MARKS = ['pinned', 'notify'] as const;

export type WindowMark = (typeof WINDOW_MARKS)[number];

/** The key of a mark ends with the name of its window. */
export type MarkKey = `${WindowMark}:${string}`;

export function isMarkKey(key: string): key is MarkKey {
  return WINDOW_MARKS.some((mark) => key.startsWith(`${mark}:`));
}

/** A change key by key; null removes a key. */
export type MetadataPatch = Readonly<Partial<Record<MetadataKey | MarkKey, unknown>>>;

export function metadataIn<K extends MetadataKey>(metadata: ProcessMetadata, key: K): Metadata[K] {
  return readers[key](metadata[key]) as Metadata[K];
}

/** The cause of a session's end, from a value of unknown origin: a receipt or the metadata. */
export function causeIn(value: unknown): ReceiptCause | undefined {
  const { kind: said, name, afterSeconds, signal } = record(value);
  const kind = CAUSE_KINDS.find((one) => one === said);
  return (
    kind && {
      kind,
      ...(typeof name === 'string' && { name }),
      ...(isCount(afterSeconds) && { afterSeconds }),
      ...(typeof signal === 'string' && { signal }),
    }
  );
}

/** The starter of a session, from a value of unknown origin. */
export function originIn(value: unknown): SessionOrigin {
  const { kind, name, ...said } = record(value);
  const [conversation, call] = [identifier(said['conversation']), identifier(said['call'])];
  return {
    kind: text(kind)?.slice(0, KIND_LENGTH) ?? 'other',
    ...(typeof name === 'string' && { name }),
    ...(conversation !== undefined && { conversation }),
    ...(call !== undefined && { call }),
  };
}

function doer(value: unknown): Doer {
  const { kind, id, name, foreign } = record(value);
  return {
    kind: kind === 'person' ? kind : 'agent',
    id: text(id),
    name: typeof name === 'string' ? name : undefined,
    foreign: foreign === true,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
