import * as vscode from 'vscode';

import type { SettingName } from '../sessions/options/index.js';
import { errorText as inWords } from '../sessions/words/index.js';

/** An error that the user, or the calling extension, can correct. The message is for people. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** A start that a setting has made fail. */
export class SettingError extends UserError {
  override readonly name = 'SettingError';
  readonly setting: SettingName;

  constructor(message: string, setting: SettingName, cause: unknown) {
    super(message, { cause });
    this.setting = setting;
  }
}

/** A refused start: the workspace is not trusted. */
export class UntrustedWorkspaceError extends UserError {
  override readonly name = 'UntrustedWorkspaceError';

  constructor() {
    super(
      vscode.l10n.t(
        'This workspace is not trusted, so nothing is started. Trust it and try again, if you know where it comes from.',
      ),
    );
  }
}

/** The message of an error for people, in their language if it has been translated. */
export function errorText(error: unknown): string {
  return inWords(error, vscode.l10n);
}
