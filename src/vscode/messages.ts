import * as vscode from 'vscode';

import { isExecError, oneLine } from '../core/index.js';
import { EnvironmentError, withoutIcons } from '../sessions/words/index.js';
import type { Dialogs } from './dialogs.js';
import { errorText, UntrustedWorkspaceError, UserError } from './userError.js';
import { settingId, type SettingName } from '../sessions/options/index.js';

/** How long a message stays in the status bar, in milliseconds. */
const STATUS_MS = 5_000;

/** A button below a message. */
export interface MessageAction {
  readonly title: string;
  run(): unknown;
}

/** Tells people what was done or why not, as unobtrusively as possible, and always in the log too. */
export class Messages {
  readonly #dialogs: Dialogs;
  readonly #log: vscode.LogOutputChannel;

  constructor(dialogs: Dialogs, log: vscode.LogOutputChannel) {
    this.#dialogs = dialogs;
    this.#log = log;
  }

  /** Reports a success; a message in the status bar is enough. */
  did(text: string): void {
    this.#log.info(oneLine(text));
    vscode.window.setStatusBarMessage(withoutIcons(text), STATUS_MS);
  }

  /** Tells why there was nothing to do. */
  tell(text: string, actions: readonly MessageAction[] = []): void {
    this.#log.info(oneLine(text));
    this.#offer((titles) => this.#dialogs.info(text, ...titles), actions);
  }

  /**
   * Calls a person to something that waits for them. The message stays until it is answered. VS Code does that only for
   * errors with buttons.
   */
  call(text: string, actions: readonly MessageAction[]): void {
    this.#log.info(oneLine(text));
    this.#offer((titles) => this.#dialogs.error(text, ...titles), actions);
  }

  /** Reports a partial success, or something that is left for the user to do. */
  warn(text: string, actions: readonly MessageAction[] = []): void {
    this.#log.warn(oneLine(text));
    this.#offer((titles) => this.#dialogs.warn(text, ...titles), [...actions, this.#showLog()]);
  }

  /** Reports a failure, unless a person has called it off. */
  failed(error: unknown, actions: readonly MessageAction[] = []): void {
    if (error instanceof vscode.CancellationError) {
      return;
    }
    const text = errorText(error);
    if (error instanceof UntrustedWorkspaceError) {
      this.#log.info(text);
      this.#offer((titles) => this.#dialogs.warn(text, ...titles), [manageTrust()]);
      return;
    }
    const expected = error instanceof UserError || error instanceof EnvironmentError || isExecError(error);
    this.#log.error(expected || !(error instanceof Error) ? oneLine(text) : (error.stack ?? text));
    this.#offer((titles) => this.#dialogs.error(text, ...titles), [...actions, this.#showLog()]);
  }

  /**
   * Does something with each item, side by side. A failure of a single item rejects; of several items each failure is
   * told here.
   *
   * @returns the first result.
   */
  async firstOf<T, R>(items: readonly T[], act: (item: T) => Promise<R | undefined>): Promise<R | undefined> {
    const [only, ...more] = items;
    if (only === undefined || more.length === 0) {
      return only && act(only);
    }
    const results = await Promise.all(
      items.map((item) =>
        act(item).catch((error: unknown) => {
          this.failed(error);
          return undefined;
        }),
      ),
    );
    return results.find((result) => result !== undefined);
  }

  /** The calling command does not wait for an answer: a notification may stay for hours. */
  #offer(
    show: (titles: readonly string[]) => Promise<string | undefined>,
    actions: readonly MessageAction[],
  ): void {
    void show(actions.map(({ title }) => title)).then((chosen) =>
      actions.find(({ title }) => title === chosen)?.run(),
    );
  }

  #showLog(): MessageAction {
    return { title: vscode.l10n.t('Show Log'), run: () => this.#log.show(true) };
  }
}

function manageTrust(): MessageAction {
  return {
    title: vscode.l10n.t('Manage Workspace Trust'),
    run: () => vscode.commands.executeCommand('workbench.trust.manage'),
  };
}

/** A button below a message that opens settings. */
export function openSettingAction(...names: readonly SettingName[]): MessageAction {
  return { title: vscode.l10n.t('Open Settings'), run: () => openSettings(names) };
}

/** Opens settings in their editor, on the tab of the machine that they are read on. */
async function openSettings(names: readonly SettingName[]): Promise<void> {
  const query = `@id:${names.map(settingId).join(',')}`;
  // In a remote window the user's tab does not list settings that belong to a machine.
  await (vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', { query })
    : vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query }));
}
