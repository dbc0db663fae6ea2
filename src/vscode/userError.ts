import * as vscode from 'vscode';

import { errorText as inWords } from '../sessions/words/index.js';

/** Something that the user, or who called us, can put right. The message is for people. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** Nothing is started in a workspace that nobody vouches for. */
export class UntrustedWorkspaceError extends UserError {
  override readonly name = 'UntrustedWorkspaceError';

  constructor() {
    super(
      vscode.l10n.t(
        'Nothing is started here: this workspace is not trusted. If you know where it comes from, trust it and try again.',
      ),
    );
  }
}

/** An error in words for people, in their language where there are such words. */
export function errorText(error: unknown): string {
  return inWords(error, vscode.l10n);
}
