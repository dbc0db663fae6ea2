import { existsSync } from 'node:fs';
import path from 'node:path';

import * as vscode from 'vscode';

import type { Services } from './services.js';
import { foldersOnDisk } from './thisMachine.js';

/** The script that `npm start` runs in the demo workspace. */
const DEMO_SCRIPT = 'demo.sh';

/** Starts one session for `npm start`, so that there is something to see: after a reload there is. */
export async function startDemo({ list, starter, terminals, messages }: Services): Promise<void> {
  const folder = foldersOnDisk()[0]?.uri.fsPath;
  if (list.sessions.length > 0 || folder === undefined || !existsSync(path.join(folder, DEMO_SCRIPT))) {
    return;
  }
  try {
    const session = await starter.start(
      {
        command: { kind: 'argv', argv: ['bash', DEMO_SCRIPT] },
        title: vscode.l10n.t('Welcome to Exec Sessions'),
        env: {},
        tty: true,
        pipeStdin: false,
        show: true,
      },
      { kind: 'user', name: vscode.l10n.t('the demo') },
    );
    terminals.open(session, { fresh: true, preserveFocus: true });
  } catch (error) {
    messages.failed(error);
  }
}
