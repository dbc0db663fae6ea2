import path from 'node:path';

import * as vscode from 'vscode';

import type { Clock, ExecBackend, LogLimits } from '../../core/index.js';
import type * as machine from '../../machine/index.js';
import {
  type LocalDefinition,
  type Place,
  type RemoteConnection,
  RemoteEnvironment,
} from '../../sessions/environments/index.js';
import { type ExecEnvironment, LOCAL_ID } from '../../sessions/list/index.js';
import { oneLine } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';
import { errorText } from '../userError.js';

/** The room with the clients of session servers. */
export type MachineModule = typeof machine;

/** Loads the room with the first look for a server. */
export const loadMachine = (): Promise<MachineModule> => import('../../machine/index.js');

export interface SessionServerOptions {
  readonly load: () => Promise<MachineModule>;
  readonly extensionPath: string;
  readonly version: string;
  /** Serves if the server cannot be had. */
  readonly fallback: ExecBackend;
  readonly messages: Messages;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** How much output of each session this window keeps. */
  readonly limits: LogLimits;
  /** For how long sessions go on without any window, in hours: -1 for good, 0 for two minutes. Read at each connection. */
  readonly keepHours: () => number;
  /** Called with each server of another version that has sessions. */
  readonly foundOther: (environment: ExecEnvironment) => void;
}

/**
 * This machine through its session server, which is found or started when it is needed, and goes on when this window
 * closes. Servers of other versions are used for the sessions that they have.
 */
export class SessionServer {
  readonly place: Place;
  readonly #options: SessionServerOptions;
  /** The server that a look has found, until the environment has taken it. */
  #found: machine.Machine | undefined;
  #socket: string | undefined;
  /** The servers of other versions, by their sockets. */
  readonly #others = new Map<string, machine.Machine>();
  #othersConnected: Promise<void> = Promise.resolve();
  #warned = false;

  constructor(options: SessionServerOptions) {
    this.#options = options;
    const definition = { id: LOCAL_ID, name: vscode.l10n.t('This machine'), kind: 'local' } as const;
    this.place = new RemoteEnvironment<LocalDefinition>(definition, (_, signal) => this.#connect(signal));
  }

  /** Connects to the servers that run; none is started. */
  async look(): Promise<void> {
    if (this.place.open !== undefined) {
      return;
    }
    try {
      const { connectMachine } = await this.#options.load();
      this.#found = await connectMachine({ ...this.#machineOptions(), start: false });
      if (this.#found === undefined) {
        await this.#connectOthers();
      } else {
        await this.place.connect();
        await this.#othersConnected;
      }
    } catch (error) {
      this.#options.log.warn(`No session server was found: ${oneLine(errorText(error))}`);
    }
  }

  /** Leaves the servers; what runs there goes on. */
  disconnect(): void {
    this.#found?.disconnect();
    [...this.#others.values()].forEach((other) => other.disconnect());
  }

  async #connect(signal: AbortSignal): Promise<RemoteConnection> {
    try {
      const server = await this.#server(signal);
      this.#socket = server.socket;
      this.#othersConnected = this.#connectOthers();
      await this.#tellKeepTimes(server);
      return server;
    } catch (error) {
      signal.throwIfAborted();
      this.#warn(error);
      return { backend: this.#options.fallback, disconnect: () => undefined };
    }
  }

  async #tellKeepTimes({ backend }: machine.Machine): Promise<void> {
    const { keepHours, log } = this.#options;
    try {
      await backend.keepWithoutClient(keepTimes(keepHours()));
    } catch (error) {
      log.warn(
        `The session server was not told how long to go on without a window: ${oneLine(errorText(error))}`,
      );
    }
  }

  async #server(signal: AbortSignal): Promise<machine.Machine> {
    const found = this.#found;
    this.#found = undefined;
    if (found?.backend.connection.kind === 'connected') {
      return found;
    }
    const { connectMachine } = await this.#options.load();
    const started = await connectMachine({ ...this.#machineOptions(), signal, start: true });
    if (started === undefined) {
      throw new Error('There is no session server.');
    }
    return started;
  }

  async #connectOthers(): Promise<void> {
    const { load, log } = this.#options;
    try {
      const { connectTo, findServers } = await load();
      for (const found of await findServers(process.env)) {
        if (found.socket !== this.#socket && !this.#others.has(found.socket)) {
          const other = await connectTo(found, this.#machineOptions());
          if (other !== undefined) {
            this.#follow(other);
          }
        }
      }
    } catch (error) {
      log.warn(`A session server of another version cannot be reached: ${oneLine(errorText(error))}`);
    }
  }

  #follow(other: machine.Machine): void {
    const { socket, backend } = other;
    this.#others.set(socket, other);
    backend.onDidChangeConnection(({ kind }) => {
      if (kind === 'lost') {
        this.#others.delete(socket);
      }
    });
    this.#options.foundOther({ id: LOCAL_ID, label: this.place.snapshot().label, backend });
  }

  #machineOptions() {
    const { extensionPath, version, clock, limits, log } = this.#options;
    return {
      version,
      files: path.join(extensionPath, 'dist'),
      env: process.env,
      clock,
      limits,
      log: (line: string) => log.debug(`session server: ${oneLine(line)}`),
    };
  }

  /** Said once for each window: with each start it would say the same. */
  #warn(error: unknown): void {
    const { messages, log } = this.#options;
    const text = errorText(error);
    if (this.#warned) {
      log.warn(`No session server: ${oneLine(text)}`);
      return;
    }
    this.#warned = true;
    messages.warn(
      vscode.l10n.t(
        'Sessions of this window will end with it, because the session server, which would keep them running, cannot be used: {0}',
        text,
      ),
    );
  }
}

const SECONDS_AN_HOUR = 3_600;
/** The time for sessions of agents that nobody has asked to keep. */
const AGENT_SECONDS = 600;

function keepTimes(hours: number) {
  return {
    personSeconds: hours < 0 ? -1 : Math.round(hours * SECONDS_AN_HOUR),
    agentSeconds: AGENT_SECONDS,
  };
}
