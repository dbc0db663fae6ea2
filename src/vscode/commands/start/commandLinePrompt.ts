import * as vscode from 'vscode';

import { oneLine, type VariableChanges } from '../../../core/index.js';
import { forget, type HistoryEntry, type RunMode, save, unsave } from '../../../sessions/list/index.js';
import { withoutIcons } from '../../../sessions/words/index.js';
import type { CommandSuggestion } from './commandSuggestions.js';
import { parseVariableInput, variableInput } from '../../../sessions/options/index.js';

/** The place of a command on its machine: its directory, as it was typed, and variables of its own. */
export interface CommandPlace {
  readonly cwd?: string | undefined;
  readonly env?: VariableChanges | undefined;
}

interface AskOptions extends CommandPlace {
  readonly history: readonly HistoryEntry[];
  /** A text to edit. */
  readonly initial?: string | undefined;
  readonly shell: string;
  /** The name of the machine that it will run on, if it is not this one. */
  readonly place?: string | undefined;
  /** The ways to run it there; the first one is the usual one. */
  readonly modes: readonly [RunMode, ...RunMode[]];
  /** The way to begin with, by default the usual one. */
  readonly mode?: RunMode | undefined;
  /** The commands that the workspace names, in parts that come one by one. */
  readonly suggest: () => readonly Promise<readonly CommandSuggestion[]>[];
  /** Changes the stored history, and returns the new one. */
  readonly changeHistory: (
    change: (history: readonly HistoryEntry[]) => readonly HistoryEntry[],
  ) => readonly HistoryEntry[];
}

/** Asks for a command line. */
export type AskCommandLine = (options: AskOptions) => Promise<(HistoryEntry & CommandPlace) | undefined>;

interface CommandItem extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry & CommandPlace;
  /** The entry of the history that the row stands for. */
  readonly past?: HistoryEntry;
}

/**
 * Asks for the command line and the way to run it in one step. Enter runs the typed line, usually in a terminal. The
 * rows below it are earlier commands and those that the workspace names. Buttons switch to pipes and back, and ask for
 * a directory and for variables. The switches are in the row of the typed line too, where Tab reaches them.
 */
export const askCommandLine: AskCommandLine = (options) =>
  new Promise((resolve) => {
    const picker = vscode.window.createQuickPick<CommandItem>();
    let { history } = options;
    const suggestions: (readonly CommandSuggestion[])[] = [];
    let mode = options.mode ?? options.modes[0];
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
    // Enter may come before the picker has drawn the items for the latest text; then the text itself counts.
    let drawn = true;
    const draw = () => {
      const switches = modeButtons(mode, options.modes);
      picker.title = titleFor(options.place, place, mode === options.modes[0] ? [] : [modeText(mode)]);
      picker.buttons = [...switches, directoryButton(), variablesButton()];
      picker.items = [
        ...typedItems(picker.value.trim(), mode, switches),
        ...itemsFor(picker.value.trim(), history, suggestions.flat(), { mode, modes: options.modes }),
      ];
    };
    const ask = async (question: () => Promise<CommandPlace | undefined>) => {
      asking = true;
      place = { ...place, ...(await question().catch(() => undefined)) };
      asking = false;
      draw();
      picker.show();
    };
    const switchMode = ({ tooltip }: vscode.QuickInputButton): boolean => {
      const chosen = modeButtons(mode, options.modes).find((one) => one.tooltip === tooltip);
      mode = chosen?.mode ?? mode;
      draw();
      return chosen !== undefined;
    };
    picker.onDidTriggerButton((pressed) => {
      if (switchMode(pressed)) {
        return;
      }
      const { tooltip } = pressed;
      void ask(
        tooltip === directoryButton().tooltip
          ? () => askDirectory(place.cwd)
          : () => askVariables(place.env ?? {}),
      );
    });
    picker.onDidTriggerItemButton(({ item: { past }, button }) => {
      if (past === undefined) {
        switchMode(button);
        return;
      }
      if (button.tooltip === editButton().tooltip) {
        picker.value = past.text;
        mode = past.mode;
      } else {
        const change =
          button.tooltip === saveButton().tooltip
            ? save
            : button.tooltip === unsaveButton().tooltip
              ? unsave
              : forget;
        history = options.changeHistory((stored) => change(stored, past));
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
      const entry = chosen ?? (typed === '' ? undefined : { text: typed, mode });
      if (entry !== undefined) {
        const { cwd = entry.cwd, env = entry.env } = place;
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
    for (const [part, coming] of options.suggest().entries()) {
      coming.then(
        (found) => {
          suggestions[part] = found;
          if (open && found.length > 0) {
            draw();
          }
        },
        () => {
          // An extension that lists tasks has failed. This does not concern a person who types a command.
        },
      );
    }
  });

function titleFor(
  machine: string | undefined,
  { cwd, env = {} }: CommandPlace,
  more: readonly string[],
): string {
  const title =
    machine === undefined ? vscode.l10n.t('New Session') : vscode.l10n.t('New Session on {0}', machine);
  // The names alone: the values may be secrets.
  const facts = [...(cwd === undefined ? [] : [oneLine(cwd)]), ...Object.keys(env), ...more];
  return facts.length === 0 ? title : `${title} (${facts.join(', ')})`;
}

function typedItems(
  text: string,
  mode: RunMode,
  buttons: readonly vscode.QuickInputButton[],
): readonly CommandItem[] {
  return text === '' ? [] : [{ ...commandItem({ text, mode }, ICONS[mode]), buttons }];
}

function itemsFor(
  typed: string,
  history: readonly HistoryEntry[],
  suggestions: readonly CommandSuggestion[],
  { mode, modes }: { readonly mode: RunMode; readonly modes: readonly RunMode[] },
): readonly CommandItem[] {
  const offered = history.filter((entry) => entry.text !== typed && modes.includes(entry.mode));
  const saved = offered
    .filter((entry) => entry.saved)
    .map((entry) => pastItem(entry, 'pinned', [unsaveButton(), editButton()]));
  const recent = offered
    .filter((entry) => entry.saved !== true)
    .map((entry) => pastItem(entry, 'history', [saveButton(), editButton(), forgetButton()]));
  const named = suggestions
    // The history does not know in which of several folders, or with which variables, a command ran.
    .filter(
      ({ text, env }) =>
        env !== undefined ||
        suggestions.filter((other) => other.text === text).length > 1 ||
        history.every((entry) => entry.text !== text),
    )
    .map(({ text, from, cwd, env }) => ({
      ...commandItem({ text, mode, cwd, env }, 'tasklist', false),
      description: withoutIcons(from),
    }));
  return [
    ...section(vscode.l10n.t('saved in this workspace'), saved),
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

function pastItem(
  past: HistoryEntry,
  icon: string,
  buttons: readonly vscode.QuickInputButton[],
): CommandItem {
  return { ...commandItem(past, icon, false), past, buttons };
}

// Functions, since the language is not known when this file is loaded.
const button = (icon: string, tooltip: string): vscode.QuickInputButton & { readonly tooltip: string } => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});
const directoryButton = () => button('folder', vscode.l10n.t('Directory…'));
const variablesButton = () => button('symbol-variable', vscode.l10n.t('Variables…'));
const editButton = () => button('edit', vscode.l10n.t('Edit'));
const saveButton = () => button('pin', vscode.l10n.t('Save'));
const unsaveButton = () => button('pinned', vscode.l10n.t('Remove from Saved'));
const forgetButton = () => button('close', vscode.l10n.t('Remove from History'));

/** Asks for the directory of a command. An empty answer stands for the default. */
async function askDirectory(cwd = ''): Promise<{ readonly cwd: string | undefined } | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Directory'),
    prompt: vscode.l10n.t(
      'The directory may be relative to the folder. Leave the box empty for the default.',
    ),
    value: cwd,
    ignoreFocusOut: true,
  });
  return typed === undefined ? undefined : { cwd: typed.trim() === '' ? undefined : typed.trim() };
}

/** Asks for variables of a command. */
async function askVariables(env: VariableChanges): Promise<{ readonly env: VariableChanges } | undefined> {
  const read = (text: string) => parseVariableInput(text, vscode.l10n);
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Variables'),
    prompt: vscode.l10n.t('They override those of the settings: DEBUG=1 TITLE="two words".'),
    value: variableInput(env),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const parsed = read(text);
      return parsed.ok ? undefined : parsed.message;
    },
  });
  const parsed = typed === undefined ? undefined : read(typed);
  return parsed?.ok === true ? { env: parsed.value } : undefined;
}

/** A button that switches the way to run a command. */
interface ModeButton extends vscode.QuickInputButton {
  readonly tooltip: string;
  readonly mode: RunMode;
}

/** The buttons that switch from one way to run a command to the others that its machine has. */
function modeButtons(mode: RunMode, modes: readonly RunMode[]): readonly ModeButton[] {
  const other: RunMode = mode === 'pipes' ? 'pipesWithInput' : 'pipes';
  const targets: readonly RunMode[] = mode === 'terminal' ? ['pipes'] : ['terminal', other];
  return targets.filter((target) => modes.includes(target)).map((target) => modeButton(mode, target));
}

function modeButton(from: RunMode, mode: RunMode): ModeButton {
  const [icon, tooltip] = lookOf(from, mode);
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, mode };
}

function lookOf(from: RunMode, to: RunMode): readonly [icon: string, tooltip: string] {
  if (to === 'terminal') {
    return ['terminal', vscode.l10n.t('Run in a Terminal')];
  }
  if (from === 'terminal') {
    return ['output', vscode.l10n.t('Run with Pipes')];
  }
  return to === 'pipesWithInput'
    ? ['arrow-swap', vscode.l10n.t('Open Standard Input')]
    : ['output', vscode.l10n.t('Leave Standard Input Empty')];
}

/** A way to run a command, in words. */
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
