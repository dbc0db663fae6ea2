import * as vscode from 'vscode';

import { adoptProcesses } from '../../sessions/environments/index.js';
import { type ExecEnvironment, LOCAL_ID, type SessionList } from '../../sessions/list/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';
import { errorText } from '../userError.js';

/**
 * Adds the processes that an environment already has to the list, and says how many they are. A server that fails at
 * this still works otherwise, so a failure is only a warning.
 */
export async function showFoundProcesses(
  list: SessionList,
  environment: ExecEnvironment,
  messages: Messages,
): Promise<void> {
  const name = nameInMessage(environment.label);
  try {
    const { adopted: found, left } = await adoptProcesses(list, environment, vscode.version);
    // Own sessions of this machine that are found again are not news.
    if (found > 0 && environment.id !== LOCAL_ID) {
      messages.did(
        found === 1
          ? vscode.l10n.t('Connected to "{0}", where one process was found.', name)
          : vscode.l10n.t('Connected to "{0}", where {1} processes were found.', name, found),
      );
    }
    if (left > 0) {
      messages.warn(
        vscode.l10n.t('{0} more processes on "{1}" are not shown: there are too many.', left, name),
      );
    }
  } catch (error) {
    // The connection may have been lost meanwhile, which is reported elsewhere.
    if (environment.backend.connection.kind !== 'lost') {
      messages.warn(
        vscode.l10n.t('Processes that already run on "{0}" could not be listed: {1}', name, errorText(error)),
      );
    }
  }
}
