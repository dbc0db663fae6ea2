import * as vscode from 'vscode';

import type { AgentTools, ToolDefinition } from '../../agent/index.js';
import type { CallPlace } from './callPlace.js';
import { describeCall } from './describeCall.js';

/** The name of the starter that people see on sessions of VS Code's chat. */
export const CHAT_AGENT = 'VS Code Chat';

/**
 * One tool of agents in the form of VS Code's API. Its caller asks people first if {@link prepareInvocation} has a
 * question.
 */
export class AgentTool implements vscode.LanguageModelTool<object> {
  readonly #definition: ToolDefinition;
  readonly #tools: AgentTools;
  readonly #place: CallPlace;

  constructor(definition: ToolDefinition, tools: AgentTools, place: CallPlace) {
    this.#definition = definition;
    this.#tools = tools;
    this.#place = place;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<object>): vscode.PreparedToolInvocation {
    const { doing, question } = describeCall(this.#definition, input, this.#place);
    return {
      invocationMessage: markdown(doing),
      ...(question && {
        confirmationMessages: { title: question.title, message: markdown(question.body) },
      }),
    };
  }

  async invoke(
    { input, toolInvocationToken }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const cancel = new AbortController();
    const cancelled = token.onCancellationRequested(() => cancel.abort());
    if (token.isCancellationRequested) {
      cancel.abort();
    }
    try {
      const reply = await this.#tools.call(this.#definition.name, input, {
        agent: { id: `${CHAT_AGENT} ${chatOf(toolInvocationToken)}`, name: CHAT_AGENT },
        signal: cancel.signal,
      });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(reply.text)]);
    } finally {
      cancelled.dispose();
    }
  }
}

/**
 * Tells chats apart by the token that each call in one carries. Its type says nothing about it; in VS Code 1.139 it has
 * the address of the chat, earlier an id. If it has neither, and for calls of other extensions, all calls belong to one
 * chat.
 */
function chatOf(token: unknown): string {
  const { sessionResource, sessionId } = (token ?? {}) as Readonly<
    Record<'sessionResource' | 'sessionId', unknown>
  >;
  if (typeof sessionResource === 'object' && sessionResource !== null) {
    const { scheme, authority, path, query } = sessionResource as Readonly<Record<string, unknown>>;
    return [scheme, authority, path, query].join(' ');
  }
  return typeof sessionId === 'string' ? sessionId : '';
}

/** Markdown that runs nothing, since its text comes from models. */
function markdown(text: string): vscode.MarkdownString {
  const shown = new vscode.MarkdownString(text);
  shown.isTrusted = false;
  shown.supportHtml = false;
  return shown;
}
