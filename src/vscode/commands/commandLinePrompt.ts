import * as vscode from 'vscode';

import type { VariableChanges } from '../../core/index.js';
import type { HistoryEntry, RunMode } from '../../sessions/list/index.js';
import { oneLine, withoutIcons } from '../../sessions/words/index.js';
import type { CommandSuggestion } from './commandSuggestions.js';
import { askDirectory, askVariables } from './placePrompt.js';

/** The place of a command on its machine: its directory, as it was typed, and variables of its own. */
export interface CommandPlace {
  readonly cwd?: string | undefined;
  readonly env?: VariableChanges | undefined;
}

export interface AskOptions extends CommandPlace {
  readonly history: readonly HistoryEntry[];
  /** A text to edit. */
  readonly initial?: string | undefined;
  readonly shell: string;
  /** The name of the machine that it will run on, if it is not this one. */
  readonly place?: string | undefined;
  /** The ways to run it there; the first one is that of Enter. */
  readonly modes: readonly [RunMode, ...RunMode[]];
  /** The commands that the workspace names. */
  readonly suggest: () => Promise<readonly CommandSuggestion[]>;
  /** Removes a command from the history. */
  readonly forget: (entry: HistoryEntry) => void;
}

/** Asks for a command line. */
export type AskCommandLine = (options: AskOptions) => Promise<(HistoryEntry & CommandPlace) | undefined>;

interface CommandItem extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry & CommandPlace;
  /** The entry of the history that the row stands for. */
  readonly past?: HistoryEntry;
}

/**
 * Asks for the command line and the way to run it in one step: Enter runs the typed line in the first way, usually
 * a terminal, the rows below it in the others, and the last rows are earlier commands and those that the workspace
 * names. Buttons ask for a directory and for variables.
 */
export const askCommandLine: AskCommandLine = (options) =>
  new Promise((resolve) => {
    const picker = vscode.window.createQuickPick<CommandItem>();
    let { history } = options;
    let suggestions: readonly CommandSuggestion[] = [];
    let place: CommandPlace = { cwd: options.cwd, env: options.env };
    let open = true;
    // While another question is on the screen, the picker is hidden but goes on.
    let asking = false;
    picker.placeholder =
      options.place === undefined
        ? vscode.l10n.t('A command line for {0}, or a list such as ["ls", "-l"]', options.shell)
        : vscode.l10n.t(
            'A command line for {0} on {1}, or a list such as ["ls", "-l"]',
            options.shell,
            options.place,
          );
    picker.ignoreFocusOut = true;
    picker.value = options.initial ?? '';
    picker.buttons = [directoryButton(), variablesButton()];
    // Enter may come before the picker has drawn the items for the latest text; then the text itself counts.
    let drawn = true;
    const draw = () => {
      picker.title = titleFor(options.place, place);
      picker.items = itemsFor(picker.value.trim(), history, suggestions, options.modes);
    };
    const ask = async (question: () => Promise<CommandPlace | undefined>) => {
      asking = true;
      place = { ...place, ...(await question().catch(() => undefined)) };
      asking = false;
      draw();
      picker.show();
    };
    picker.onDidTriggerButton(({ tooltip }) => {
      void ask(
        tooltip === directoryButton().tooltip
          ? () => askDirectory(place.cwd)
          : () => askVariables(place.env ?? {}),
      );
    });
    picker.onDidTriggerItemButton(({ item: { past }, button }) => {
      if (past === undefined) {
        return;
      }
      if (button.tooltip === editButton().tooltip) {
        picker.value = past.text;
      } else {
        options.forget(past);
        history = history.filter((entry) => entry !== past);
      }
      draw();
    });
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
      const entry = chosen ?? (typed === '' ? undefined : { text: typed, mode: options.modes[0] });
      if (entry !== undefined) {
        const { cwd = entry.cwd, env } = place;
        resolve({ text: entry.text, mode: entry.mode, cwd, env });
        picker.hide();
      }
    });
    picker.onDidHide(() => {
      if (!asking) {
        open = false;
        resolve(undefined);
        picker.dispose();
      }
    });
    draw();
    picker.show();
    options.suggest().then(
      (found) => {
        suggestions = found;
        if (open && found.length > 0) {
          draw();
        }
      },
      () => {
        // An extension that lists tasks has failed, which is nothing to a person who types a command.
      },
    );
  });

function titleFor(machine: string | undefined, { cwd, env = {} }: CommandPlace): string {
  const title =
    machine === undefined ? vscode.l10n.t('New Session') : vscode.l10n.t('New Session on {0}', machine);
  // The names alone: the values may be secrets.
  const facts = [...(cwd === undefined ? [] : [oneLine(cwd)]), ...Object.keys(env)];
  return facts.length === 0 ? title : `${title} (${facts.join(', ')})`;
}

function itemsFor(
  typed: string,
  history: readonly HistoryEntry[],
  suggestions: readonly CommandSuggestion[],
  modes: readonly [RunMode, ...RunMode[]],
): readonly CommandItem[] {
  const asTyped = typed === '' ? [] : modes.map((mode) => commandItem({ text: typed, mode }, ICONS[mode]));
  const recent = history
    .filter(({ text, mode }) => text !== typed && modes.includes(mode))
    .map((entry) => ({
      ...commandItem(entry, 'history', false),
      past: entry,
      buttons: [editButton(), forgetButton()],
    }));
  const named = suggestions
    .filter(({ text }) => history.every((entry) => entry.text !== text))
    .map(({ text, from, cwd }) => ({
      ...commandItem({ text, mode: modes[0], cwd }, 'tasklist', false),
      description: withoutIcons(from),
    }));
  return [
    ...asTyped,
    ...section(vscode.l10n.t('recent in this workspace'), recent),
    ...section(vscode.l10n.t('scripts and tasks'), named),
  ];
}

function section(label: string, items: readonly CommandItem[]): readonly CommandItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

const ICONS: Readonly<Record<RunMode, string>> = {
  terminal: 'terminal',
  pipes: 'output',
  pipesWithInput: 'arrow-swap',
};

function commandItem(entry: HistoryEntry & CommandPlace, icon: string, alwaysShow = true): CommandItem {
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

// Functions, since the language is not known when this file is loaded.
const button = (icon: string, tooltip: string): vscode.QuickInputButton & { readonly tooltip: string } => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});
const directoryButton = () => button('folder', vscode.l10n.t('Directory…'));
const variablesButton = () => button('symbol-variable', vscode.l10n.t('Variables…'));
const editButton = () => button('edit', vscode.l10n.t('Edit'));
const forgetButton = () => button('close', vscode.l10n.t('Remove from History'));
