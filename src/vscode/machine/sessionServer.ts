import path from 'node:path';

import * as vscode from 'vscode';

import { type Clock, type ExecBackend, type LogLimits, oneLine } from '../../core/index.js';
import type * as machine from '../../machine/index.js';
import {
  type LocalDefinition,
  type Place,
  type RemoteConnection,
  RemoteEnvironment,
} from '../../sessions/environments/index.js';
import { type ExecEnvironment, type ListLimits, LOCAL_ID } from '../../sessions/list/index.js';
import type { Messages } from '../messages.js';
import { errorText } from '../userError.js';
import { ExposedFolders, tellOfServerRisks } from './serverNotices.js';
import { OtherServers } from './otherServers.js';

/** The room with the clients of session servers. */
export type MachineModule = typeof machine;

/** Loads the room with the first look for a server. */
export const loadMachine = (): Promise<MachineModule> => import('../../machine/index.js');

export interface SessionServerOptions {
  readonly load: () => Promise<MachineModule>;
  readonly extensionPath: string;
  readonly version: string;
  /** Runs the sessions if the server cannot be used. */
  readonly fallback: () => Promise<ExecBackend>;
  readonly messages: Messages;
  readonly log: vscode.LogOutputChannel;
  /** Remembers for all workspaces. */
  readonly memento: vscode.Memento;
  readonly clock: Clock;
  /** Whether the workspace is trusted. Asked each time. */
  readonly isTrusted: () => boolean;
  /** How much output of each session this window, and the server, keep. */
  readonly limits: LogLimits;
  /** The hours for which sessions go on without any window: -1 for good, 0 for two minutes. Asked each time. */
  readonly keepHours: () => number;
  /** Whether the server writes receipts. Asked each time. */
  readonly receipts: () => boolean;
  /** How much the server keeps of all sessions. Asked each time. */
  readonly listLimits: () => ListLimits;
  /** Whether, and how much, the server keeps of them on disk, in bytes. Asked each time. */
  readonly diskLimits: () => { readonly keep: boolean; readonly bytes: number; readonly allBytes: number };
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
  readonly #others: OtherServers;
  readonly #exposed: ExposedFolders;
  /** The server that a look has found, until the environment has taken it. */
  #found: machine.Machine | undefined;
  #server: machine.Machine | undefined;
  #looks: Promise<void> | undefined;
  #lookAgain = false;
  #watch: machine.ServerWatch | undefined;
  #left = false;

  constructor(options: SessionServerOptions) {
    this.#options = options;
    this.#exposed = new ExposedFolders(options.messages);
    const definition = { id: LOCAL_ID, name: vscode.l10n.t('This machine'), kind: 'local' } as const;
    this.place = new RemoteEnvironment<LocalDefinition>(definition, (_, signal) => this.#connect(signal));
    this.#others = new OtherServers({
      connect: async (found) =>
        (await options.load()).connectTo(found, { ...this.#machineOptions(), observes: true }),
      connected: (backend) =>
        options.foundOther({ id: LOCAL_ID, label: this.place.snapshot().label, backend }),
      log: options.log,
    });
  }

  /**
   * Connects to the running servers, and from now on to each server that another program starts. Does not start a
   * server.
   *
   * @returns once the running servers are connected.
   */
  async follow(): Promise<void> {
    const { load, log } = this.#options;
    const { watchServers } = await load();
    if (!this.#left) {
      this.#watch ??= watchServers(
        process.env,
        () => void this.look(),
        (line) => log.info(oneLine(line)),
      );
      await this.look();
    }
  }

  /** Connects to the running servers and starts no other. Calls during a look share one more look. Never rejects. */
  look(): Promise<void> {
    this.#lookAgain = this.#looks !== undefined;
    this.#looks ??= this.#lookUntilDone();
    return this.#looks;
  }

  /** Resolves once the servers that run now are connected. */
  async catchUp(): Promise<void> {
    await (this.#watch?.complete === true ? this.#looks : this.look());
  }

  /** The servers that this window is connected with: its own, and those of other versions. */
  get connected(): {
    readonly own: machine.Machine | undefined;
    readonly others: readonly machine.Machine[];
  } {
    const own = this.#server?.backend === this.place.open?.backend ? this.#server : undefined;
    return { own, others: this.#others.all };
  }

  /** Leaves the servers. Their sessions go on. */
  disconnect(): void {
    this.#left = true;
    this.#watch?.dispose();
    this.#dropFound();
    this.#others.disconnect();
  }

  async #lookUntilDone(): Promise<void> {
    try {
      do {
        this.#lookAgain = false;
        await this.#lookOnce();
      } while (this.#looksAgain());
    } catch (error) {
      this.#options.log.warn(`No session server was found: ${oneLine(errorText(error))}`);
    } finally {
      this.#looks = undefined;
    }
  }

  async #lookOnce(): Promise<void> {
    const { connectMachine, exposedFolders, findServers } = await this.#options.load();
    const connectOwn = async () => {
      if (this.#isIdle) {
        await this.#use(await connectMachine({ ...this.#machineOptions(), start: false }));
      } else {
        // A start may be under way.
        await this.place.connect();
      }
    };
    const [servers] = await Promise.all([findServers(process.env), connectOwn()]);
    if (!this.#left) {
      await this.#others.connect(servers.filter(({ socket }) => socket !== this.#server?.socket));
      const { own, others } = this.connected;
      const connected = own === undefined ? others : [own, ...others];
      this.#exposed.tell(
        exposedFolders(process.env),
        connected.map(({ socket }) => socket),
      );
    }
  }

  get #isIdle(): boolean {
    return !['connecting', 'connected', 'recovering'].includes(this.place.snapshot().state.kind);
  }

  /** Makes it the server of the environment, unless a start has been quicker. */
  async #use(found: machine.Machine | undefined): Promise<void> {
    if (found === undefined) {
      return;
    }
    this.#found = found;
    try {
      if (!this.#left) {
        await this.place.connect();
      }
    } finally {
      this.#dropFound();
    }
  }

  /** Whether something has changed since the last look began. */
  #looksAgain(): boolean {
    return this.#lookAgain && !this.#left;
  }

  /** Leaves a server that was found, unless the environment has taken it. */
  #dropFound(): void {
    this.#found?.disconnect();
    this.#found = undefined;
  }

  async #connect(signal: AbortSignal): Promise<RemoteConnection> {
    try {
      const server = await this.#foundOrStarted(signal);
      this.#server = server;
      tellOfServerRisks(server.backend.host, this.#options);
      // Later requests follow it and need not wait for its answer, so terminals are back a turn sooner.
      void this.#tellLimits(server);
      return server;
    } catch (error) {
      signal.throwIfAborted();
      this.#warn(error);
      return { backend: await this.#options.fallback(), disconnect: () => undefined };
    }
  }

  /** Tells the server about changed settings. */
  async tellLimits(): Promise<void> {
    if (this.#server !== undefined) {
      await this.#tellLimits(this.#server);
    }
  }

  async #tellLimits({ backend }: machine.Machine): Promise<void> {
    const { isTrusted, keepHours, limits, listLimits, diskLimits, receipts, log } = this.#options;
    if (!isTrusted()) {
      return;
    }
    const { outputBytes, endedSessions } = listLimits();
    const { bytes, chunks } = limits;
    const output = { bytes, chunks, allBytes: outputBytes, closed: endedSessions };
    try {
      await backend.keepWithoutClient({
        ...keepTimes(keepHours()),
        output,
        disk: diskLimits(),
        receipts: receipts(),
      });
    } catch (error) {
      log.warn(`The session server was not told what it is to keep: ${oneLine(errorText(error))}`);
    }
  }

  async #foundOrStarted(signal: AbortSignal): Promise<machine.Machine> {
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

  #machineOptions() {
    const { extensionPath, version, clock, limits, log } = this.#options;
    return {
      version,
      files: path.join(extensionPath, 'dist'),
      env: process.env,
      clock,
      limits,
      log: (line: string) => log.debug(`session server: ${oneLine(line)}`),
      compromise: (line: string) => log.info(oneLine(line)),
    };
  }

  /** Said once for each window, since the replacement runs until the window ends. */
  #warn(error: unknown): void {
    this.#options.messages.warn(
      vscode.l10n.t(
        'Sessions of this window will end with it, because the session server cannot be used: {0}',
        errorText(error),
      ),
    );
  }
}

const SECONDS_AN_HOUR = 3_600;
/** The time for sessions of agents that are not kept running. */
const AGENT_SECONDS = 600;

function keepTimes(hours: number) {
  return {
    personSeconds: hours < 0 ? -1 : Math.round(hours * SECONDS_AN_HOUR),
    agentSeconds: AGENT_SECONDS,
  };
}
