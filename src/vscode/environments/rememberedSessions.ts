import { createHash } from 'node:crypto';

import type * as vscode from 'vscode';

import { maskSecrets, type ProcessMetadata, quoteCommandLine, shorten } from '../../core/index.js';
import type { KnownProcess, KnownSession, SessionMemory } from '../../remote/index.js';
import type { EnvironmentDefinition } from '../../sessions/list/index.js';

const KEY = 'execSessions.connectionSessions';

/** The most characters that are remembered of one text: a script in a command has thousands. */
const MOST_CHARACTERS = 4_000;

interface Remembered {
  /** Of another server nothing of it is there. Not the address itself, whose parameters may be secret. */
  readonly address: string;
  readonly session: KnownSession;
}

type AllRemembered = Readonly<Record<string, Remembered>>;

/**
 * Remembers for a reloaded window, and for one that connects again, what it has started at an address: a server there
 * shows it to nobody else.
 */
export class RememberedSessions {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** @returns undefined for an environment that is found again without it: its command leads to a server that shows all. */
  of(definition: EnvironmentDefinition): SessionMemory | undefined {
    if (definition.kind !== 'websocket') {
      return undefined;
    }
    const { id } = definition;
    const address = createHash('sha256').update(definition.url).digest('hex');
    return {
      read: () => {
        const remembered = this.#all[id];
        return remembered?.address === address ? remembered.session : undefined;
      },
      write: (session) => {
        const others = Object.fromEntries(Object.entries(this.#all).filter(([other]) => other !== id));
        const all =
          session === undefined ? others : { ...others, [id]: { address, session: withoutSecrets(session) } };
        // Nobody waits for this. If it fails, the next window does not see these processes.
        void Promise.resolve(this.#memento.update(KEY, all)).catch(() => undefined);
      },
    };
  }

  get #all(): AllRemembered {
    return this.#memento.get<AllRemembered>(KEY) ?? {};
  }
}

function withoutSecrets(session: KnownSession): KnownSession {
  return { ...session, processes: session.processes.map((process) => processWithoutSecrets(process)) };
}

/** A command that is not remembered as a whole has no arguments: a part of one must never be run again. */
function processWithoutSecrets(process: KnownProcess): KnownProcess {
  const { argv, metadata } = process;
  const line = quoteCommandLine(argv);
  const isWhole = shown(line) === line;
  const { commandLine = line } = metadata;
  return {
    ...process,
    argv: isWhole ? argv : [],
    metadata: textsShown({ ...metadata, ...(!isWhole && { commandLine }) }),
  };
}

function textsShown(metadata: ProcessMetadata): ProcessMetadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === 'string' ? shown(value) : value]),
  );
}

function shown(text: string): string {
  return shorten(maskSecrets(text), MOST_CHARACTERS);
}
