import * as vscode from 'vscode';

import type { AgentTools } from '../../agent/index.js';
import {
  type Disposable,
  Emitter,
  type Event,
  oneLine,
  systemClock,
  type TaskStore,
} from '../../core/index.js';
import type { McpHttpServer, serveMcpOverHttp } from '../../mcp/index.js';
import { settingId } from '../../sessions/options/index.js';
import type { Secrets } from '../environments/environmentTokens.js';
import type { MessageAction, Messages } from '../messages.js';
import { errorText, UntrustedWorkspaceError, UserError } from '../userError.js';
import { untilFree } from './freePort.js';
import type { McpAddress } from './mcpConfiguration.js';
import { McpIdentity } from './mcpIdentity.js';

/** The function that serves MCP. */
export type ServeMcp = (
  options: Omit<Parameters<typeof serveMcpOverHttp>[0], 'peers'>,
) => Promise<McpHttpServer>;

/** Loads the MCP server, which is a bundle of its own, as the tools are. */
export async function loadMcp(): Promise<ServeMcp> {
  const [{ serveMcpOverHttp }, { TcpPeers }] = await Promise.all([
    import('../../mcp/index.js'),
    import('../../local/index.js'),
  ]);
  return (options) => serveMcpOverHttp({ ...options, peers: new TcpPeers() });
}

interface McpServerOptions {
  readonly tools: AgentTools;
  readonly taskStore: TaskStore;
  readonly serve: () => Promise<ServeMcp>;
  readonly memento: vscode.Memento;
  readonly secrets: Secrets;
  readonly enabled: () => boolean;
  readonly isTrusted: () => boolean;
  readonly version: string;
  readonly messages: Messages;
  readonly log: vscode.LogOutputChannel;
  /** How long to wait for the port that programs outside VS Code know, in milliseconds. */
  readonly portPatienceMs?: number;
}

/** How long the previous extension host may take after a reload to release the port, in milliseconds. */
const PORT_PATIENCE_MS = 10_000;

/** A server that listens, and the token that it accepts. */
interface Serving {
  readonly server: McpHttpServer;
  readonly token: string;
}

/** One run of the server: from the request for it to its end, by {@link McpServer.stop} or by a failure. */
interface Run {
  readonly ended: AbortController;
  readonly serving: Promise<Serving>;
}

/**
 * The MCP server of this workspace, on the loopback. Each workspace has its own token. Port and token stay the same, so
 * that the configuration of a client stays valid when VS Code is started again.
 */
export class McpServer implements Disposable {
  readonly #options: McpServerOptions;
  readonly #identity: McpIdentity;
  readonly #didChangeAllowed = new Emitter<void>();
  readonly #didChangeRunning = new Emitter<void>();
  #run: Run | undefined;
  /** Settles at the end of the previous run: until then the port may be taken. Never rejects. */
  #ending: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(options: McpServerOptions) {
    this.#options = options;
    this.#identity = new McpIdentity(options.memento, options.secrets);
    this.#identity.onDidChangeToken(() => {
      this.#checkToken().catch((error: unknown) => options.messages.failed(error));
    });
  }

  /** Fires when {@link allowed} may have changed. */
  get onDidChangeAllowed(): Event<void> {
    return this.#didChangeAllowed.event;
  }

  /** Whether the server may run here now. */
  get allowed(): boolean {
    return this.#options.enabled() && this.#options.isTrusted() && !this.#disposed;
  }

  /** Fires when {@link running} has changed. */
  get onDidChangeRunning(): Event<void> {
    return this.#didChangeRunning.event;
  }

  /** Whether the server runs or is being started. */
  get running(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Starts the server unless it runs.
   *
   * @param known Whether a program outside VS Code is going to get the address. If so, the server starts with VS Code
   *   from now on.
   * @throws UserError if the server may not run, cannot run, or is stopped meanwhile.
   */
  async start(known: boolean): Promise<McpAddress> {
    this.#objectIfForbidden();
    const run = this.#begin();
    try {
      const { server, token } = await run.serving;
      objectIfEnded(run.ended.signal);
      if (known) {
        await this.#identity.remember({ known });
      }
      return { url: server.url, token };
    } catch (error) {
      throw startFailure(error);
    }
  }

  /**
   * Checks again whether the server may run here. If not, it is ended; if so, it is started if a program outside VS
   * Code has its address.
   */
  async checkAllowed(): Promise<void> {
    this.#didChangeAllowed.fire();
    await (this.allowed ? this.startIfKnown() : this.stop());
  }

  /**
   * Starts the server if a program outside VS Code has its address.
   *
   * @throws UserError if the server cannot run; a stop meanwhile is no error.
   */
  async startIfKnown(): Promise<void> {
    if (this.#identity.remembered?.known !== true || !this.allowed || this.running) {
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
   * Ends the server, or its start. Sessions that were started through it continue.
   *
   * @returns whether there was a server or a start to end.
   */
  async stop(): Promise<boolean> {
    const run = this.#run;
    this.#run = undefined;
    this.#didChangeRunning.fire();
    if (run !== undefined) {
      run.ended.abort();
      // A failed start was reported to its callers.
      this.#ending = run.serving.then(({ server }) => server.dispose()).catch(() => undefined);
    }
    await this.#ending;
    return run !== undefined;
  }

  /** Makes the server no longer start with VS Code. */
  async forget(): Promise<void> {
    if (this.#identity.remembered?.known === true) {
      await this.#identity.remember({ known: false });
    }
  }

  /**
   * Makes a new token, so that the old one becomes invalid. Restarts the server if it runs.
   *
   * @returns false if there was no token.
   */
  async renewToken(): Promise<boolean> {
    if (this.#identity.remembered === undefined) {
      return false;
    }
    // The token is made before the stop, so that a start in between uses the new one.
    await this.#identity.makeToken();
    if (await this.stop()) {
      await this.start(false);
    }
    return true;
  }

  dispose(): void {
    this.#disposed = true;
    this.#identity.dispose();
    void this.stop();
    this.#didChangeAllowed.dispose();
    this.#didChangeRunning.dispose();
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
        this.#didChangeRunning.fire();
      }
    });
    this.#run = run;
    this.#didChangeRunning.fire();
    return run;
  }

  async #serve(ended: AbortSignal): Promise<Serving> {
    await this.#ending;
    const { port = 0, known = false } = this.#identity.remembered ?? {};
    if (!known) {
      return this.#listen(port, ended);
    }
    await untilFree(port, this.#options.portPatienceMs ?? PORT_PATIENCE_MS, systemClock, ended);
    const serving = await this.#listen(port, ended);
    if (serving.server.port === port) {
      return serving;
    }
    // Clients now send the old token to the program that listens at the old port, so the token must become invalid.
    await serving.server.dispose();
    await this.#identity.change();
    this.#options.messages.warn(
      vscode.l10n.t(
        'Another program or window uses port {0}, where the MCP server of this workspace listened. The server has a new port and a new token now: copy the configuration again for the programs that use it.',
        port,
      ),
      [copyConfiguration()],
    );
    return this.#listen(0, ended);
  }

  /** Listens at a port, or at another one if it is taken. */
  async #listen(port: number, ended: AbortSignal): Promise<Serving> {
    const { tools, taskStore, version, log } = this.#options;
    const serve = await this.#options.serve();
    const token = await this.#identity.token();
    objectIfEnded(ended);
    const server = await serve({
      tools,
      taskStore,
      token,
      version,
      port,
      log: (line) => log.debug(`mcp: ${oneLine(line)}`),
    });
    try {
      objectIfEnded(ended);
      await this.#identity.remember({ port: server.port });
    } catch (error) {
      await server.dispose();
      throw error;
    }
    log.info(`mcp: serving at ${server.url}`);
    return { server, token };
  }

  /** Ends the server if another window of the workspace has made a new token. */
  async #checkToken(): Promise<void> {
    const run = this.#run;
    const serving = await run?.serving.catch(() => undefined);
    const replaced = serving !== undefined && (await this.#identity.isReplaced(serving.token));
    if (!replaced || this.#run !== run) {
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

  /** @throws UserError if the server may not run. */
  #objectIfForbidden(): void {
    if (this.#disposed) {
      throw new UserError(vscode.l10n.t('VS Code is closing.'));
    }
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
}

/** @throws Error if the run was ended meanwhile. */
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
