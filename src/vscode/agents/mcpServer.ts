import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import type { AgentTools } from '../../agent/tool.js';
import { Emitter, systemClock, type Disposable, type Event } from '../../core/index.js';
import type { McpHttpServer, serveMcpOverHttp } from '../../mcp/index.js';
import { settingId } from '../../sessions/settings.js';
import { oneLine } from '../../sessions/text.js';
import type { Secrets } from '../environments/environmentTokens.js';
import type { MessageAction, Messages } from '../messages.js';
import { errorText, UntrustedWorkspaceError, UserError } from '../userError.js';
import { untilFree } from './freePort.js';
import type { McpAddress } from './mcpConfiguration.js';

/** Serves MCP; loaded with the first use. */
export type ServeMcp = typeof serveMcpOverHttp;

/** What is remembered of the server of a workspace. */
interface Remembered {
  /** Under which its token is kept. */
  readonly id: string;
  readonly port: number;
  /** Somebody outside has its address: it starts with VS Code. */
  readonly known: boolean;
}

export interface McpServerOptions {
  readonly tools: AgentTools;
  readonly serve: () => Promise<ServeMcp>;
  readonly memento: vscode.Memento;
  readonly secrets: Secrets;
  readonly enabled: () => boolean;
  readonly isTrusted: () => boolean;
  readonly version: string;
  readonly messages: Messages;
  readonly log: vscode.LogOutputChannel;
  /** How long to wait for the port that others know, in milliseconds. */
  readonly portPatienceMs?: number;
}

const STATE_KEY = 'execSessions.mcpServer';
const TOKEN_BYTES = 32;
/** How long the extension host of before a reload may take to let go of the port. */
const PORT_PATIENCE_MS = 10_000;

/** The server while it listens, and what opens it. */
interface Serving {
  readonly server: McpHttpServer;
  readonly token: string;
}

/** One time that the server runs: from when that is wanted until it is ended, by {@link McpServer.stop} or because it failed. */
interface Run {
  readonly ended: AbortController;
  readonly serving: Promise<Serving>;
}

/**
 * The MCP server of this workspace, on the loopback. Each workspace has its own token; port and token stay the same, so
 * that what a client was configured with holds after VS Code has been closed.
 */
export class McpServer implements Disposable {
  readonly #options: McpServerOptions;
  readonly #didChangeAllowed = new Emitter<void>();
  readonly #secretsSubscription: vscode.Disposable;
  #run: Run | undefined;
  /** The end of the run before: until then the port may be taken. */
  #ending: Promise<void> = Promise.resolve();
  /** The newest token that was made here. */
  #made: string | undefined;
  #disposed = false;

  constructor(options: McpServerOptions) {
    this.#options = options;
    this.#secretsSubscription = options.secrets.onDidChange(({ key }) => {
      if (key === keyOf(this.#id())) {
        this.#checkToken().catch((error: unknown) => options.messages.failed(error));
      }
    });
  }

  /** Whether it may run here may have changed. */
  get onDidChangeAllowed(): Event<void> {
    return this.#didChangeAllowed.event;
  }

  /** Whether it may run here now. */
  get allowed(): boolean {
    return this.#options.enabled() && this.#options.isTrusted() && !this.#disposed;
  }

  /** Whether it runs, or is about to. */
  get running(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Starts it unless it runs.
   *
   * @param known Somebody outside VS Code is going to have the address: it starts with VS Code from now on.
   * @throws UserError if it may not run, cannot, or is stopped meanwhile.
   */
  async start(known: boolean): Promise<McpAddress> {
    this.#objectIfForbidden();
    const run = this.#begin();
    try {
      const { server, token } = await run.serving;
      objectIfEnded(run.ended.signal);
      if (known) {
        await this.#remember({ known });
      }
      return { url: server.url, token };
    } catch (error) {
      throw startFailure(error);
    }
  }

  /** Looks again whether it may run here: ends it if not, and starts it if so and somebody outside has its address. */
  async checkAllowed(): Promise<void> {
    this.#didChangeAllowed.fire();
    await (this.allowed ? this.startIfKnown() : this.stop());
  }

  /**
   * Starts it if somebody outside has its address.
   *
   * @throws UserError if it cannot run; that it was stopped meanwhile is none.
   */
  async startIfKnown(): Promise<void> {
    if (this.#remembered?.known !== true || !this.allowed || this.running) {
      return;
    }
    const { serving, ended } = this.#begin();
    try {
      await serving;
    } catch (error) {
      if (!ended.signal.aborted) {
        throw startFailure(error);
      }
    }
  }

  /**
   * Ends it, or its start; what it has started goes on.
   *
   * @returns whether there was anything to end.
   */
  async stop(): Promise<boolean> {
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) {
      run.ended.abort();
      this.#ending = run.serving.then(
        ({ server }) => server.dispose(),
        () => undefined,
      );
    }
    await this.#ending;
    return run !== undefined;
  }

  /** It does not start with VS Code any more. */
  async forget(): Promise<void> {
    await this.#remember({ known: false });
  }

  /**
   * Makes the old token worthless. Restarts it if it runs.
   *
   * @returns false if there was none.
   */
  async renewToken(): Promise<boolean> {
    if (this.#remembered === undefined) {
      return false;
    }
    // Before it is stopped: whoever starts it again meanwhile starts it with the new one.
    await this.#makeToken();
    if (await this.stop()) {
      await this.start(false);
    }
    return true;
  }

  dispose(): void {
    this.#disposed = true;
    this.#secretsSubscription.dispose();
    void this.stop();
    this.#didChangeAllowed.dispose();
  }

  #begin(): Run {
    if (this.#run !== undefined) {
      return this.#run;
    }
    const ended = new AbortController();
    const run: Run = { ended, serving: this.#serve(ended.signal) };
    run.serving.catch(() => {
      if (this.#run === run) {
        this.#run = undefined;
      }
    });
    this.#run = run;
    return run;
  }

  async #serve(ended: AbortSignal): Promise<Serving> {
    await this.#ending;
    const before = this.#remembered;
    if (before?.known === true) {
      await untilFree(before.port, this.#options.portPatienceMs ?? PORT_PATIENCE_MS, systemClock, ended);
    }
    const serving = await this.#listen(before?.port ?? 0, ended);
    if (before?.known !== true || serving.server.port === before.port) {
      return serving;
    }
    // Who asks at the old port tells the old token to another program.
    await serving.server.dispose();
    const elsewhere = await this.#listenElsewhere(before, ended);
    this.#sayThatItMoved(before.port);
    return elsewhere;
  }

  /** At that port, or at another one if that cannot be had. */
  async #listen(port: number, ended: AbortSignal): Promise<Serving> {
    const { tools, version, log } = this.#options;
    const serve = await this.#options.serve();
    const token = await this.#token();
    objectIfEnded(ended);
    const server = await serve({
      tools,
      token,
      version,
      port,
      log: (line) => log.debug(`mcp: ${oneLine(line)}`),
    });
    try {
      objectIfEnded(ended);
      await this.#remember({ port: server.port });
    } catch (error) {
      await server.dispose();
      throw error;
    }
    log.info(`mcp: serving at ${server.url}`);
    return { server, token };
  }

  /** Under a new name, so that a window of the same workspace that has the old port goes on with its own token. */
  async #listenElsewhere(before: Remembered, ended: AbortSignal): Promise<Serving> {
    await this.#remember({ id: newId() });
    await this.#options.secrets.delete(keyOf(before.id));
    return this.#listen(0, ended);
  }

  #sayThatItMoved(port: number): void {
    this.#options.messages.warn(
      vscode.l10n.t(
        'Another program, or another window, has the port {0} of the MCP server of this workspace. It has another port and another token now: copy the configuration again for the programs that use it.',
        port,
      ),
      [copyConfiguration()],
    );
  }

  async #token(): Promise<string> {
    const kept = await this.#options.secrets.get(keyOf(this.#id()));
    return kept !== undefined && kept !== '' ? kept : this.#makeToken();
  }

  async #makeToken(): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#made = token;
    await this.#remember({});
    await this.#options.secrets.store(keyOf(this.#id()), token);
    return token;
  }

  /** Another window of the workspace may have made the token worthless. */
  async #checkToken(): Promise<void> {
    const run = this.#run;
    const kept = await this.#options.secrets.get(keyOf(this.#id()));
    const used = (await run?.serving.catch(() => undefined))?.token;
    const replaced = kept !== undefined && kept !== this.#made && kept !== used;
    if (!replaced || run === undefined || this.#run !== run) {
      return;
    }
    await this.stop();
    this.#options.messages.warn(
      vscode.l10n.t(
        'The MCP server of this window has ended: another window of this workspace has made a new token. Copy the configuration again for the programs that use this one.',
      ),
      [copyConfiguration()],
    );
  }

  /** @throws UserError */
  #objectIfForbidden(): void {
    if (!this.#options.isTrusted()) {
      throw new UntrustedWorkspaceError();
    }
    if (!this.#options.enabled()) {
      throw new UserError(
        vscode.l10n.t(
          'Agents are switched off: the setting "{0}" is false. Switch it on to serve MCP.',
          settingId('agentsEnabled'),
        ),
      );
    }
  }

  get #remembered(): Remembered | undefined {
    return restore(this.#options.memento.get(STATE_KEY));
  }

  #id(): string {
    return this.#remembered?.id ?? this.#firstId;
  }

  /** Used once, in a workspace that has none. */
  readonly #firstId = newId();

  async #remember(changes: Partial<Remembered>): Promise<void> {
    const before: Remembered = this.#remembered ?? { id: this.#firstId, port: 0, known: false };
    await this.#options.memento.update(STATE_KEY, { ...before, ...changes });
  }
}

/** @throws Error if it was stopped meanwhile. */
function objectIfEnded(ended: AbortSignal): void {
  if (ended.aborted) {
    throw new Error(vscode.l10n.t('It was stopped before it was ready.'));
  }
}

function startFailure(error: unknown): UserError {
  return new UserError(vscode.l10n.t('The MCP server could not be started: {0}', errorText(error)), {
    cause: error,
  });
}

function copyConfiguration(): MessageAction {
  return {
    title: vscode.l10n.t('Copy MCP Configuration…'),
    run: () => vscode.commands.executeCommand('execSessions.copyMcpConfiguration'),
  };
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

function keyOf(id: string): string {
  return `execSessions.mcpToken:${id}`;
}

function restore(stored: unknown): Remembered | undefined {
  const { id, port, known } = (stored ?? {}) as Partial<Record<keyof Remembered, unknown>>;
  return typeof id === 'string' &&
    typeof port === 'number' &&
    Number.isInteger(port) &&
    port >= 0 &&
    port <= 65_535
    ? { id, port, known: known === true }
    : undefined;
}
