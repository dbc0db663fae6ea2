import * as vscode from 'vscode';

import { dialogText } from '../sessions/words/index.js';

/** How far the rows of a list are known. */
interface LiveState {
  /** Whether more rows may come. */
  readonly busy: boolean;
  /** A remark beside the title. */
  readonly note: string;
}

/** A list below a box to type in, whose rows follow the typed text. */
export interface LiveList<T extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeHolder: string;
  /** The text to begin with. */
  readonly value?: string;
  /**
   * Called with each text that is typed, the first one included.
   *
   * @param show Takes the rows for this text, as often as there are more. Without effect once another text was typed.
   */
  readonly follow: (typed: string, show: (rows: readonly T[], state?: LiveState) => void) => void;
}

/**
 * All questions and messages to the user on the screen. An interface hides them, because VS Code refuses real dialogs
 * while tests run inside its extension host. The browser tests drive the real ones.
 */
export interface Dialogs {
  info(message: string, ...actions: string[]): Promise<string | undefined>;
  warn(message: string, ...actions: string[]): Promise<string | undefined>;
  error(message: string, ...actions: string[]): Promise<string | undefined>;
  /** Asks before something that cannot be undone; true if the user chose `action`. */
  confirm(message: string, detail: string, action: string): Promise<boolean>;
  /** Asks for one of several ways to do something, in front of everything else; undefined if the user gives up. */
  choose(message: string, detail: string, ...actions: string[]): Promise<string | undefined>;
  /** @param closed Closes the box. */
  input(options: vscode.InputBoxOptions, closed?: vscode.CancellationToken): Promise<string | undefined>;
  pick<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): Promise<T | undefined>;
  /** Asks for any number of items, which may still come. */
  pickMany<T extends vscode.QuickPickItem>(
    items: Promise<readonly T[]>,
    options: vscode.QuickPickOptions,
  ): Promise<readonly T[] | undefined>;
  /** @returns the chosen row; undefined if the user gives up. */
  live<T extends vscode.QuickPickItem>(list: LiveList<T>): Promise<T | undefined>;
  saveFile(options: vscode.SaveDialogOptions): Promise<vscode.Uri | undefined>;
}

export const realDialogs: Dialogs = {
  info: async (message, ...actions) => vscode.window.showInformationMessage(message, ...actions),
  warn: async (message, ...actions) => vscode.window.showWarningMessage(message, ...actions),
  error: async (message, ...actions) => vscode.window.showErrorMessage(message, ...actions),
  confirm: async (message, detail, action) =>
    (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action,
  choose: async (message, detail, ...actions) =>
    vscode.window.showWarningMessage(message, { modal: true, detail }, ...actions),
  // VS Code gives the keyboard to a list that it draws anew. That would close the box and lose the typed text.
  input: async (options, closed) => vscode.window.showInputBox({ ignoreFocusOut: true, ...options }, closed),
  pick: async (items, options) => vscode.window.showQuickPick(items, options),
  pickMany: async (items, options) =>
    vscode.window.showQuickPick(items, { ...options, canPickMany: true, ignoreFocusOut: true }),
  live: askLive,
  saveFile: async (options) => vscode.window.showSaveDialog(options),
};

/** Dialogs whose messages are made safe: no text of a server or a setting becomes a link or imitates another text. */
export function safeDialogs(dialogs: Dialogs): Dialogs {
  return {
    info: (message, ...actions) => dialogs.info(dialogText(message), ...actions),
    warn: (message, ...actions) => dialogs.warn(dialogText(message), ...actions),
    error: (message, ...actions) => dialogs.error(dialogText(message), ...actions),
    confirm: (message, detail, action) => dialogs.confirm(dialogText(message), detail, action),
    choose: (message, detail, ...actions) => dialogs.choose(dialogText(message), detail, ...actions),
    input: (options, closed) => dialogs.input(options, closed),
    pick: (items, options) => dialogs.pick(items, options),
    pickMany: (items, options) => dialogs.pickMany(items, options),
    live: (list) => dialogs.live(list),
    saveFile: (options) => dialogs.saveFile(options),
  };
}

function askLive<T extends vscode.QuickPickItem>(list: LiveList<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const picker = vscode.window.createQuickPick<T>();
    picker.title = list.title;
    picker.placeholder = list.placeHolder;
    picker.value = list.value ?? '';
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    // Without this, VS Code sorts the rows by the place of the text in them. It is a proposal of VS Code's API that any
    // extension may set: https://github.com/microsoft/vscode/issues/73904
    Object.assign(picker, { sortByLabel: false });
    // A token of the typed text, whose rows may still come; undefined once the box is closed.
    let latest: object | undefined;
    let rows: readonly T[] = [];
    // Enter may come before VS Code has drawn the latest rows. It waits for them then: nobody chooses an unseen row.
    let accepting = false;
    const accept = () => {
      const [active] = picker.activeItems;
      if (active !== undefined && rows.includes(active)) {
        resolve(active);
        picker.hide();
      } else {
        accepting = rows.length > 0;
      }
    };
    const follow = () => {
      accepting = false;
      const token = {};
      latest = token;
      list.follow(picker.value, (next, { busy, note } = { busy: false, note: '' }) => {
        if (latest === token) {
          rows = next;
          picker.items = next;
          picker.busy = busy;
          picker.title = note === '' ? list.title : `${list.title} (${note})`;
        }
      });
    };
    picker.onDidChangeValue(follow);
    picker.onDidChangeActive(() => {
      if (accepting) {
        accept();
      }
    });
    picker.onDidAccept(accept);
    picker.onDidHide(() => {
      latest = undefined;
      resolve(undefined);
      picker.dispose();
    });
    follow();
    picker.show();
  });
}
