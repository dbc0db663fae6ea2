import * as vscode from 'vscode';

import type { HistoryEntry, RunMode } from '../../sessions/list/index.js';
import { withoutIcons } from '../../sessions/words/index.js';

/** Asks for a command line; `initial` is a text to edit. */
export type AskCommandLine = (options: {
  readonly history: readonly HistoryEntry[];
  readonly initial?: string | undefined;
  readonly shell: string;
  /** The name of the machine that it will run on, if it is not this one. */
  readonly place?: string | undefined;
  /** The ways to run it there; the first one is that of Enter. */
  readonly modes: readonly [RunMode, ...RunMode[]];
}) => Promise<HistoryEntry | undefined>;

interface CommandItem extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

/**
 * Asks for the command line and the way to run it in one step: Enter runs the typed line in the first way, usually
 * a terminal, the rows below it in the others, and the last rows are earlier commands.
 */
export const askCommandLine: AskCommandLine = ({ history, initial, shell, place, modes }) =>
  new Promise((resolve) => {
    const picker = vscode.window.createQuickPick<CommandItem>();
    picker.title =
      place === undefined ? vscode.l10n.t('New Session') : vscode.l10n.t('New Session on {0}', place);
    picker.placeholder =
      place === undefined
        ? vscode.l10n.t('A command line for {0}, or a list such as ["ls", "-l"]', shell)
        : vscode.l10n.t('A command line for {0} on {1}, or a list such as ["ls", "-l"]', shell, place);
    picker.ignoreFocusOut = true;
    picker.value = initial ?? '';
    // Enter may come before the picker has drawn the items for the latest text; then the text itself counts.
    let drawn = true;
    const draw = () => {
      picker.items = itemsFor(picker.value.trim(), history, modes);
    };
    picker.onDidChangeValue(() => {
      drawn = false;
      draw();
    });
    picker.onDidChangeActive(() => {
      drawn = true;
    });
    picker.onDidAccept(() => {
      const typed = picker.value.trim();
      const chosen = drawn || typed === '' ? picker.activeItems[0]?.entry : undefined;
      const entry = chosen ?? (typed === '' ? undefined : { text: typed, mode: modes[0] });
      if (entry !== undefined) {
        resolve(entry);
        picker.hide();
      }
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    draw();
    picker.show();
  });

function itemsFor(
  typed: string,
  history: readonly HistoryEntry[],
  modes: readonly RunMode[],
): readonly CommandItem[] {
  const asTyped = typed === '' ? [] : modes.map((mode) => commandItem({ text: typed, mode }, ICONS[mode]));
  const recent = history
    .filter(({ text, mode }) => text !== typed && modes.includes(mode))
    .map((entry) => commandItem(entry, 'history', false));
  const separator: CommandItem = {
    label: vscode.l10n.t('recent in this workspace'),
    kind: vscode.QuickPickItemKind.Separator,
  };
  return recent.length === 0 ? asTyped : [...asTyped, separator, ...recent];
}

const ICONS: Readonly<Record<RunMode, string>> = {
  terminal: 'terminal',
  pipes: 'output',
  pipesWithInput: 'arrow-swap',
};

function commandItem(entry: HistoryEntry, icon: string, alwaysShow = true): CommandItem {
  return {
    label: withoutIcons(entry.text),
    description: modeText(entry.mode),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow,
    entry,
  };
}

function modeText(mode: RunMode): string {
  switch (mode) {
    case 'terminal':
      return vscode.l10n.t('in a terminal');
    case 'pipes':
      return vscode.l10n.t('with pipes, without input');
    case 'pipesWithInput':
      return vscode.l10n.t('with pipes, standard input open');
  }
}
