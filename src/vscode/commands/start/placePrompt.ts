import * as vscode from 'vscode';

import type { VariableChanges } from '../../../core/index.js';
import { parseVariableInput, variableInput } from '../../../sessions/options/index.js';

/** Asks for the directory of a command. An empty answer stands for the default. */
export async function askDirectory(cwd = ''): Promise<{ readonly cwd: string | undefined } | undefined> {
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
export async function askVariables(
  env: VariableChanges,
): Promise<{ readonly env: VariableChanges } | undefined> {
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
