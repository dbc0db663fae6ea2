import * as vscode from 'vscode';

import { toolDefinitions } from '../../agent/definitions.js';
import { plainInput } from '../../agent/input/plainInput.js';
import type { AgentHost, AgentTools, ToolCaller, ToolDefinition, ToolReply } from '../../agent/index.js';
import { onAbort, oneLine, quoteCommandLine, shorten } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';
import { loadMachine } from '../machine/sessionServer.js';
import { errorText } from '../userError.js';

/** The number of session names that are remembered, newest first, and the most characters of each. */
const MOST_NAMES = 1_000;
const NAME_LENGTH = 200;

/**
 * Loads the tools. They and their libraries, a terminal emulator and regular expressions, are a bundle of their own.
 */
export async function loadAgentTools(host: AgentHost): Promise<AgentTools> {
  const { createAgentTools } = await import('../../agent/index.js');
  const { leftByEndedServers, MachineNumbers } = await import('../../local/index.js');
  const { OutputFolder, readOwnReceipts } = await loadMachine();
  return createAgentTools({
    host,
    numbers: new MachineNumbers(),
    leftByOthers: leftByEndedServers,
    receipts: () => readOwnReceipts(),
    pastOutputs: OutputFolder.of(process.env),
  });
}

/** The tools of agents. They are loaded with the first call, and refuse all calls while a setting forbids them. */
export class LazyAgentTools implements AgentTools {
  readonly definitions: readonly ToolDefinition[] = toolDefinitions;
  readonly #load: () => Promise<AgentTools>;
  readonly #enabled: () => boolean;
  readonly #log: vscode.LogOutputChannel;
  #tools: Promise<AgentTools> | undefined;
  /** Aborting it ends the calls that are under way. */
  #calls = new AbortController();
  readonly #names = new Map<number, string>();
  #disposed = false;

  /** @param options.enabled Called with each call of a tool. */
  constructor(options: {
    load: () => Promise<AgentTools>;
    enabled: () => boolean;
    log: vscode.LogOutputChannel;
  }) {
    this.#load = options.load;
    this.#enabled = options.enabled;
    this.#log = options.log;
  }

  async call(name: string, input: unknown, caller: ToolCaller): Promise<ToolReply> {
    if (!this.#enabled()) {
      return switchedOff();
    }
    let tools: AgentTools;
    try {
      tools = await this.#loaded();
    } catch (error) {
      this.#log.error(`The tools of agents could not be loaded: ${oneLine(errorText(error))}`);
      return failure(vscode.l10n.t('The tools could not be loaded: {0}', errorText(error)));
    }
    if (!this.#enabled()) {
      return switchedOff();
    }
    const reply = await this.#callUntilSwitchedOff(tools, name, input, caller);
    if (name === 'exec_command') {
      this.#remember(reply.structured['session'], input);
    }
    // Tools that were switched off meanwhile report nothing.
    return this.#enabled() ? reply : switchedOff();
  }

  /**
   * Checks again whether the tools are switched off. If so, calls that wait end; sessions that they have started
   * continue.
   */
  checkEnabled(): void {
    if (!this.#enabled()) {
      this.#calls.abort();
      this.#calls = new AbortController();
    }
  }

  /** The command of an agent's session, if it is remembered. */
  sessionName(session: number): string | undefined {
    return this.#names.get(session);
  }

  dispose(): void {
    this.#disposed = true;
    void this.#tools?.then(
      (tools) => tools.dispose(),
      () => undefined,
    );
  }

  async #callUntilSwitchedOff(
    tools: AgentTools,
    name: string,
    input: unknown,
    caller: ToolCaller,
  ): Promise<ToolReply> {
    const ended = new AbortController();
    const end = () => ended.abort();
    const listening = [onAbort(this.#calls.signal, end), onAbort(caller.signal, end)];
    try {
      return await tools.call(name, input, { ...caller, signal: ended.signal });
    } finally {
      listening.forEach((each) => each.dispose());
    }
  }

  /**
   * Remembers the command of a session. Its title is not enough: the model chooses it, and it need not say which
   * command runs.
   */
  #remember(session: unknown, input: unknown): void {
    const given = typeof input === 'object' && input !== null ? input : {};
    const { cmd, argv } = plainInput('exec_command', given).input;
    const name =
      typeof cmd === 'string' ? cmd : Array.isArray(argv) ? quoteCommandLine(argv.map(String)) : '';
    if (typeof session === 'number' && name !== '') {
      this.#names.set(session, shorten(name, NAME_LENGTH));
      for (const oldest of [...this.#names.keys()].slice(0, -MOST_NAMES)) {
        this.#names.delete(oldest);
      }
    }
  }

  /** Loads the tools with the first call; after a failure the next call tries again. */
  async #loaded(): Promise<AgentTools> {
    if (this.#disposed) {
      throw new Error(vscode.l10n.t('VS Code is closing.'));
    }
    this.#tools ??= this.#load().catch((error: unknown) => {
      this.#tools = undefined;
      throw error;
    });
    return this.#tools;
  }
}

function switchedOff(): ToolReply {
  return failure(vscode.l10n.t('Agent tools are switched off (setting {0}).', settingId('agentsEnabled')));
}

function failure(text: string): ToolReply {
  return { text, structured: {}, isError: true };
}
