import * as vscode from 'vscode';

import { toolDefinitions } from '../../agent/definitions.js';
import type { AgentTools, ToolCaller, ToolDefinition, ToolReply } from '../../agent/tool.js';
import { settingId } from '../../sessions/settings.js';
import { oneLine, shorten } from '../../sessions/text.js';
import { errorText } from '../userError.js';

/** The names of so many sessions are remembered, the newest, and so much of each. */
const MOST_NAMES = 1_000;
const NAME_LENGTH = 200;

/** The tools of agents: loaded with the first call, and out of reach while a setting forbids them. */
export class LazyAgentTools implements AgentTools {
  readonly definitions: readonly ToolDefinition[] = toolDefinitions;
  readonly #load: () => Promise<AgentTools>;
  readonly #enabled: () => boolean;
  readonly #log: vscode.LogOutputChannel;
  #tools: Promise<AgentTools> | undefined;
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
      return failure(
        vscode.l10n.t(
          'The person has switched off the tools of agents (setting {0}).',
          settingId('agentsEnabled'),
        ),
      );
    }
    let tools: AgentTools;
    try {
      tools = await this.#loaded();
    } catch (error) {
      this.#log.error(`The tools of agents could not be loaded: ${oneLine(errorText(error))}`);
      return failure(vscode.l10n.t('The tools could not be loaded: {0}', errorText(error)));
    }
    const reply = await tools.call(name, input, caller);
    if (name === 'exec_command') {
      this.#remember(reply.structured['session'], input);
    }
    return reply;
  }

  /** What the command or the title of a session was, whichever agent started it. */
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

  #remember(session: unknown, input: unknown): void {
    const { title, cmd, argv } = input as Readonly<Record<'title' | 'cmd' | 'argv', unknown>>;
    const name = [title, cmd, Array.isArray(argv) ? argv.join(' ') : undefined].find(
      (one) => typeof one === 'string',
    );
    if (typeof session === 'number' && name !== undefined) {
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

function failure(text: string): ToolReply {
  return { text, structured: {}, isError: true };
}
