import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { startOwned, type OwnedProcess } from '../rig/lifetime.js';
import { ensureProgram } from '../rig/npmPrograms.js';
import { versions } from '../rig/versions.js';
import { killIfThere } from '../support/killIfThere.js';
import { processesWith } from '../support/processes.js';
import { endSessionServersIn } from '../support/sessionServers.js';
import { until } from '../support/until.js';
import { clientFolder } from './clientProgram.js';
import { claudeDialect } from './dialects.js';
import { mcpProcessesIn, mcpProgramIn, SERVER } from './mcpClients.js';
import { claudeServers, claudeVariables, clientVariables } from './npmClients.js';
import { ScriptedModel, type ModelRequest, type ToolScript } from './scriptedModel.js';

export interface InteractiveOptions {
  /** The folder that it works in. The session server of its sessions has its socket there too. */
  readonly cwd: string;
  readonly script: ToolScript;
  /** The Node that runs `exec-server mcp`. */
  readonly node?: string;
  /** More variables of the client. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Claude Code on a terminal of tmux, as people run it, whose model plays a script with our tools alone. */
export class InteractiveClaude {
  readonly #model: ScriptedModel<never>;
  readonly #cwd: string;
  readonly #folder: string;
  readonly #remove: () => Promise<void>;
  readonly #argv: readonly string[];
  readonly #tmuxServer: OwnedProcess;

  /** Starts it with a prompt. Its model gets the request once our server is connected. */
  static async start(options: InteractiveOptions): Promise<InteractiveClaude> {
    const { cwd, script, node = process.execPath, env = {} } = options;
    const { file } = await ensureProgram('claude');
    const model: ScriptedModel<never> = await ScriptedModel.start(script, claudeDialect(`mcp__${SERVER}__`));
    const { folder, remove } = clientFolder('home', 'tmp');
    fs.writeFileSync(path.join(folder, 'home/.claude.json'), JSON.stringify(answeredDialogs(cwd)));
    // The first turn waits for the tools.
    const server = { type: 'stdio', ...mcpProgramIn(cwd, [], node), alwaysLoad: true };
    const argv = [file, ...claudeServers(folder, { [SERVER]: server }, `mcp__${SERVER}`)];
    const tmuxServer = await startOwned(
      'tmux',
      ['-D', '-S', SOCKET, '-f', '/dev/null'],
      {
        cwd: folder,
        env: { ...clientVariables(folder, model), ...claudeVariables(model), ...env },
        stdio: 'ignore',
      },
      { marker: folder, ended: () => endSessionServersIn(cwd) },
    );
    const claude = new InteractiveClaude({ model, cwd, folder, remove, argv, tmuxServer });
    try {
      await until(() => fs.existsSync(path.join(folder, SOCKET)));
      claude.#tmux('set-option', '-g', 'remain-on-exit', 'on');
      claude.#run(['new-session', '-d', '-s', PANE, '-x', '120', '-y', '40'], 'Do as you are told.');
      return claude;
    } catch (error) {
      await claude.end();
      throw error;
    }
  }

  private constructor(parts: {
    readonly model: ScriptedModel<never>;
    readonly cwd: string;
    readonly folder: string;
    readonly remove: () => Promise<void>;
    readonly argv: readonly string[];
    readonly tmuxServer: OwnedProcess;
  }) {
    this.#model = parts.model;
    this.#cwd = parts.cwd;
    this.#folder = parts.folder;
    this.#remove = parts.remove;
    this.#argv = parts.argv;
    this.#tmuxServer = parts.tmuxServer;
  }

  /** All requests to its model so far. */
  get requests(): readonly ModelRequest[] {
    return this.#model.requests;
  }

  /** The results of its model's calls. */
  get texts(): ReadonlyMap<string, string> {
    return this.#model.texts;
  }

  get screen(): string {
    return this.#tmux('capture-pane', '-p', '-t', PANE);
  }

  /** The process of our server that it has started. */
  get mcpServer(): number {
    const [pid, ...more] = mcpProcessesIn(this.#cwd);
    assert.ok(pid !== undefined && more.length === 0, this.screen);
    return pid;
  }

  /** Resolves once its model has been asked that often. */
  async untilAsked(times: number, limitMs = 60_000): Promise<void> {
    await until(
      () => ({ asked: this.requests.length, screen: this.screen }),
      ({ asked }) => asked >= times,
      limitMs,
    );
    this.#model.rethrow();
  }

  /**
   * Kills our server and then the client, once that has written down its turn and its task. Then goes on with the
   * conversation, without a prompt.
   */
  async killAndContinue(): Promise<void> {
    const memory = path.join(this.#folder, 'home/.claude/projects');
    const files = (ending: string) =>
      fs.existsSync(memory)
        ? (fs.readdirSync(memory, { recursive: true }) as string[]).filter((name) => name.endsWith(ending))
        : [];
    await until(() => files('.meta.json').length, 1);
    await until(() =>
      files('.jsonl').some((name) =>
        fs.readFileSync(path.join(memory, name), 'utf8').includes('"text":"done"'),
      ),
    );
    const client = Number(this.#ofPane('pane_pid'));
    for (const pid of [this.mcpServer, client]) killIfThere(pid, 'SIGKILL');
    await until(() => this.#ofPane('pane_dead'), '1');
    await until(() => mcpProcessesIn(this.#cwd).length, 0);
    this.#run(['respawn-pane', '-t', PANE], '--continue');
  }

  /** Ends the client, the session server, and all that they have started. */
  async end(): Promise<void> {
    this.#model.close();
    await this.#tmuxServer.stop();
    await until(() => processesWith(`HOME=${path.join(this.#folder, 'home')}`).length, 0);
    await this.#remove();
    assert.deepEqual(this.#model.strayed, [], 'The client wanted something from another machine.');
  }

  /** Runs the client in a pane that a command of tmux makes or takes. */
  #run(pane: readonly string[], ...args: readonly string[]): void {
    const [file = '', ...rest] = this.#argv;
    this.#tmux(...pane, '-c', this.#cwd, file, ...args, ...rest);
  }

  #ofPane(name: string): string {
    return this.#tmux('display-message', '-p', '-t', PANE, `#{${name}}`).trim();
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-u', '-S', SOCKET, ...args], { cwd: this.#folder, encoding: 'utf8' });
  }
}

/** Relative, since a socket has a short path. */
const SOCKET = 'tmux.socket';
const PANE = 'claude';

/** Its memory of a person who has seen the greeting, and trusts the folder and the key. */
function answeredDialogs(cwd: string): object {
  return {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: versions.claude,
    theme: 'dark',
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true } },
  };
}
