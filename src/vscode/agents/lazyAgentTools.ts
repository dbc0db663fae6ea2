import * as vscode from 'vscode';

import { toolDefinitions } from '../../agent/definitions.js';
import type { AgentHost, AgentTools, ToolCaller, ToolDefinition, ToolReply } from '../../agent/index.js';
import { quoteCommandLine } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';
import { oneLine, shorten } from '../../sessions/words/index.js';
import { errorText } from '../userError.js';

/** The names of so many sessions are remembered, the newest, and so much of each. */
const MOST_NAMES = 1_000;
const NAME_LENGTH = 200;

/** The tools and what they need, a terminal emulator and regular expressions, are a program of their own. */
export async function loadAgentTools(host: AgentHost): Promise<AgentTools> {
  const { createAgentTools } = await import('../../agent/index.js');
  return createAgentTools({ host });
}

/** The tools of agents: loaded with the first call, and out of reach while a setting forbids them. */
export class LazyAgentTools implements AgentTools {
  readonly definitions: readonly ToolDefinition[] = toolDefinitions;
  readonly #load: () => Promise<AgentTools>;
  readonly #enabled: () => boolean;
  readonly #log: vscode.LogOutputChannel;
  #tools: Promise<AgentTools> | undefined;
  /** Ends the calls that are under way. */
  #calls = new AbortController();
  readonly #names = new Map<number, string>();
  #disposed = false;

  /** @param options.enabled Asked with each call. */
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
    // What was switched off meanwhile tells nothing any more.
    return this.#enabled() ? reply : switchedOff();
  }

  /** Looks again whether the tools are switched off: then calls that wait end. What they have started goes on. */
  checkEnabled(): void {
    if (!this.#enabled()) {
      this.#calls.abort();
      this.#calls = new AbortController();
    }
  }

  /** What the command of a session was, whichever agent started it. */
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
    const signals = [this.#calls.signal, caller.signal].filter((signal) => signal !== undefined);
    signals.forEach((signal) => signal.addEventListener('abort', end));
    if (signals.some(({ aborted }) => aborted)) {
      end();
    }
    try {
      return await tools.call(name, input, { ...caller, signal: ended.signal });
    } finally {
      signals.forEach((signal) => signal.removeEventListener('abort', end));
    }
  }

  /** Not its title, which the model has chosen, and which need not say what runs. */
  #remember(session: unknown, input: unknown): void {
    const { cmd, argv } = (input ?? {}) as Readonly<Record<'cmd' | 'argv', unknown>>;
    const name =
      typeof cmd === 'string' ? cmd : Array.isArray(argv) ? quoteCommandLine(argv.map(String)) : '';
    if (typeof session === 'number' && name !== '') {
      this.#names.set(session, shorten(name, NAME_LENGTH));
      for (const oldest of [...this.#names.keys()].slice(0, -MOST_NAMES)) {
        this.#names.delete(oldest);
      }
    }
  }

  /** What failed is tried again by the next call. */
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
  return failure(
    vscode.l10n.t(
      'The person has switched off the tools of agents (setting {0}).',
      settingId('agentsEnabled'),
    ),
  );
}

function failure(text: string): ToolReply {
  return { text, structured: {}, isError: true };
}
