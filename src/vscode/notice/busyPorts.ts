import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { Session, SessionEvents, SessionList } from '../../sessions/list/index.js';
import { busyPortIn, hasFailed, nameInMessage } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';
import { newestText } from '../output/sessionOutput.js';
import { holderName } from '../sessionPorts.js';

/** As many characters of the end of an output as are looked at. */
const LOOKED_AT = 20_000;

export interface BusyPortsOptions {
  readonly events: SessionEvents;
  readonly list: SessionList;
  /** Whether it is one of this window's sessions: other windows tell of theirs. */
  readonly isOwn: (session: Session) => boolean;
  readonly messages: Messages;
  readonly show: (session: Session) => void;
  readonly stop: (session: Session) => Promise<void>;
}

/**
 * Tells people who holds the port that a session of theirs could not have, where its machine can tell. Agents are told
 * by their tools.
 */
export function tellOfBusyPorts(options: BusyPortsOptions): Disposable {
  return options.events.onDidEnd((session) => {
    const { origin } = session.request;
    const canTell = session.environment.backend.capabilities.listeners;
    if (canTell && options.isOwn(session) && origin.kind !== 'agent' && hasFailed(session.snapshot())) {
      void tellOfPort(session, options);
    }
  });
}

async function tellOfPort(session: Session, { list, messages, show, stop }: BusyPortsOptions): Promise<void> {
  try {
    const port = busyPortIn((await newestText(session)).slice(-LOOKED_AT));
    const [holder] = port === undefined ? [] : await session.process.listeners(port);
    if (port === undefined || holder === undefined) {
      return;
    }
    const other = list.sessions.find(
      ({ environment, processId, ended }) =>
        !ended && environment.id === session.environment.id && processId === holder.processId,
    );
    if (other === undefined) {
      messages.tell(vscode.l10n.t('Port {0} is in use by {1}.', port, holderName(holder)));
      return;
    }
    messages.tell(
      vscode.l10n.t('Port {0} is in use by the session "{1}".', port, nameInMessage(other.label)),
      [
        { title: vscode.l10n.t('Open It'), run: () => show(other) },
        { title: vscode.l10n.t('Stop It'), run: () => stop(other) },
      ],
    );
  } catch {
    // The machine cannot be asked any more. The session itself says how it ended.
  }
}
