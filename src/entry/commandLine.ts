import { delimiter } from 'node:path';

import * as vscode from 'vscode';

import { wrapperFor } from '../vscode/cli/wrapper.js';
import { putPrivateFile } from '../vscode/privateFile.js';
import type { Rest } from './rest.js';

/** Puts the command `exec-sessions` onto the PATH of VS Code's terminals. */
export function offerCommandLine(
  rest: Rest,
  { environmentVariableCollection: variables, globalStorageUri, extensionPath }: vscode.ExtensionContext,
): void {
  const wrapper = wrapperFor(globalStorageUri.fsPath, extensionPath);
  variables.description = vscode.l10n.t('Adds the command {0}', '`exec-sessions`');
  // Appended, so another program of this name on the PATH wins.
  variables.append('PATH', `${delimiter}${wrapper.folder}`);
  try {
    putPrivateFile(wrapper.file, wrapper.text);
  } catch (error) {
    rest.logError(`Cannot write ${wrapper.file}: ${String(error)}`);
  }
}
