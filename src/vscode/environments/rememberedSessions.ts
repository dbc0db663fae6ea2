import { createHash } from 'node:crypto';

import type * as vscode from 'vscode';

import { maskSecrets, type ProcessMetadata, quoteCommandLine, shorten } from '../../core/index.js';
import type { KnownProcess, KnownSession, SessionMemory } from '../../remote/index.js';
import type { EnvironmentDefinition } from '../../sessions/list/index.js';

const KEY = 'execSessions.connectionSessions';

/** The most characters that are remembered of one text. A script in a command has thousands. */
const MOST_CHARACTERS = 4_000;

interface Remembered {
  /**
   * A hash of the address, so that no other server gets these sessions. The address itself may have secret parameters.
   */
  readonly address: string;
  readonly session: KnownSession;
}

type AllRemembered = Readonly<Record<string, Remembered>>;

/**
 * Remembers the sessions that a window has started at an address, for a reload or a new connection. The server shows
 * them to no other client.
 */
export class RememberedSessions {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** @returns undefined for a command environment, whose server shows all sessions anyway. */
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
        // No caller waits for this. If it fails, the next window does not see these processes.
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

/** A command that is too long to be remembered has no arguments, because a part of a command must never run again. */
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
