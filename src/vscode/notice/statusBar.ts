import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session, SessionList, SessionSnapshot } from '../../sessions/list/index.js';
import {
  type Attention,
  attention,
  attentionText,
  escapeMarkdown,
  iconOf,
  nameInMessage,
  statusText,
} from '../../sessions/words/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { McpServer } from '../agents/mcpServer.js';

/** The most sessions that the tooltip lists. */
const LISTED = 10;

/** How long changes are gathered before the item is drawn, in milliseconds. */
const GATHER_MS = 100;

/** The one item in the status bar: the waiting sessions, then the running ones. It is hidden without any. */
export class SessionsStatus implements Disposable {
  readonly #store = new DisposableStore();
  readonly #list: SessionList;
  readonly #isOwn: (session: Session) => boolean;
  readonly #mcpServer: Pick<McpServer, 'running'>;
  readonly #item = this.#store.add(
    vscode.window.createStatusBarItem('execSessions.status', vscode.StatusBarAlignment.Left, 20),
  );
  #timer: NodeJS.Timeout | undefined;

  /** @param isOwn Whether a session is one of this window's; the others are not counted. */
  constructor(
    list: SessionList,
    isOwn: (session: Session) => boolean,
    mcpServer: Pick<McpServer, 'running' | 'onDidChangeRunning'>,
  ) {
    this.#list = list;
    this.#isOwn = isOwn;
    this.#mcpServer = mcpServer;
    this.#item.name = vscode.l10n.t('Exec Sessions');
    this.#item.command = 'execSessions.sessions.focus';
    this.#store.add(list.onDidChange(() => this.#drawSoon()));
    this.#store.add(mcpServer.onDidChangeRunning(() => this.#drawSoon()));
    this.#store.add({ dispose: () => clearTimeout(this.#timer) });
    this.#draw();
  }

  /** The text of the item; undefined while it is hidden. */
  get text(): string | undefined {
    return this.#item.text === '' ? undefined : this.#item.text;
  }

  get tooltip(): string {
    const { tooltip } = this.#item;
    return typeof tooltip === 'object' ? tooltip.value : (tooltip ?? '');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #drawSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, GATHER_MS);
  }

  #draw(): void {
    const found = attention(this.#list.sessions.filter(this.#isOwn).map((session) => session.snapshot()));
    const serving = this.#mcpServer.running;
    const text = itemText(found, serving);
    this.#item.text = text;
    if (text === '') {
      this.#item.hide();
      return;
    }
    const words = attentionText(found, vscode.l10n);
    const server = serving ? vscode.l10n.t('The MCP server runs') : '';
    this.#item.tooltip = tooltip(found, serving);
    this.#item.accessibilityInformation = {
      label: [vscode.l10n.t('Exec Sessions'), words, server].filter((part) => part !== '').join(', '),
    };
    this.#item.backgroundColor =
      found.waiting.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}

function itemText({ waiting, running }: Attention, serving: boolean): string {
  return [
    waiting[0] ? `$(${iconOf(waiting[0]).icon}) ${waiting.length}` : '',
    running.length > 0 ? `$(terminal) ${running.length}` : '',
    serving ? '$(broadcast)' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function tooltip({ waiting, running }: Attention, serving: boolean): vscode.MarkdownString {
  const sessions = [...waiting, ...running];
  const more = sessions.length - LISTED;
  const lines = [
    ...waiting
      .slice(0, LISTED)
      .map((session) =>
        line(session, session.controller === 'agent' ? CommandId.takeControl : CommandId.stop),
      ),
    ...running.slice(0, Math.max(0, LISTED - waiting.length)).map((session) => line(session, CommandId.stop)),
    ...(more > 0 ? [escapeMarkdown(vscode.l10n.t('and {0} more', more))] : []),
    ...(serving
      ? [
          `${escapeMarkdown(vscode.l10n.t('The MCP server runs'))}: ` +
            link(vscode.l10n.t('Stop MCP Server'), CommandId.stopMcpServer),
        ]
      : []),
  ];
  const markdown = new vscode.MarkdownString(lines.join('\n\n'));
  markdown.isTrusted = {
    enabledCommands: [CommandId.openTerminal, CommandId.takeControl, CommandId.stop, CommandId.stopMcpServer],
  };
  return markdown;
}

function line(
  session: SessionSnapshot,
  action: typeof CommandId.takeControl | typeof CommandId.stop,
): string {
  const name = escapeMarkdown(nameInMessage(session.title ?? session.commandLine));
  const status = escapeMarkdown(statusText(session, Date.now(), vscode.l10n));
  const show = link(vscode.l10n.t('Show'), CommandId.openTerminal, session.id);
  const title = action === CommandId.stop ? vscode.l10n.t('Stop') : vscode.l10n.t('Take Control');
  return `${name} (${status}): ${show} | ${link(title, action, session.id)}`;
}

function link(title: string, command: CommandId, id?: string): string {
  const args = id === undefined ? '' : `?${encodeURIComponent(JSON.stringify([id]))}`;
  return `[${escapeMarkdown(title)}](command:${command}${args})`;
}
