import * as vscode from 'vscode';

import { busyPortIn, type Disposable, DisposableStore, wantedPorts } from '../../core/index.js';
import type { Session, SessionEvents, SessionList } from '../../sessions/list/index.js';
import { hasFailed, nameInMessage } from '../../sessions/words/index.js';
import type { Messages } from '../messages.js';
import { newestText } from '../output/sessionOutput.js';
import { holderName, holderOf, type PortHolder } from '../sessionPorts.js';

interface BusyPortsOptions {
  readonly events: SessionEvents;
  readonly list: SessionList;
  /** Whether it is one of this window's sessions: other windows tell of theirs. */
  readonly isOwn: (session: Session) => boolean;
  readonly messages: Messages;
  readonly show: (session: Session) => void;
  readonly stop: (session: Session) => Promise<void>;
  /** Runs it again, in its terminal and at its place of the list. */
  readonly restart: (session: Session) => void;
}

/**
 * Tells people which program holds the port that their session could not have, if the machine can tell. Agents learn it
 * from their tools.
 */
export class BusyPorts implements Disposable {
  readonly #options: BusyPortsOptions;
  readonly #store = new DisposableStore();
  readonly #looks = new WeakMap<Session, Promise<boolean>>();

  constructor(options: BusyPortsOptions) {
    this.#options = options;
    this.#store.add(
      options.events.onDidEnd((session) => {
        const { origin } = session.request;
        const canTell = session.environment.backend.capabilities.listeners;
        if (canTell && options.isOwn(session) && origin.kind !== 'agent' && hasFailed(session.snapshot())) {
          this.#looks.set(session, this.#look(session));
        }
      }),
    );
  }

  /** Whether people will be told why an ended session failed, so that they need no other message. */
  async hasTold(session: Session): Promise<boolean> {
    return (await this.#looks.get(session)) ?? false;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #look(session: Session): Promise<boolean> {
    try {
      const holder = await holderOfWanted(session);
      if (holder !== undefined) {
        this.#tell(session, holder);
      }
      return holder !== undefined;
    } catch {
      // The machine cannot be asked any more. The session itself says how it ended.
      return false;
    }
  }

  #tell(session: Session, { port, listener }: PortHolder): void {
    const { list, messages, show, stop, restart } = this.#options;
    const name = nameInMessage(session.label);
    const other = list.sessions.find(
      ({ environment, processId, ended }) =>
        !ended && environment.id === session.environment.id && processId === listener.processId,
    );
    if (other === undefined) {
      messages.tell(
        vscode.l10n.t('Port {0}, which "{1}" wanted, is in use by {2}.', port, name, holderName(listener)),
        [
          { title: vscode.l10n.t('Show'), run: () => show(session) },
          { title: vscode.l10n.t('Restart'), run: () => restart(session) },
        ],
      );
      return;
    }
    messages.tell(
      vscode.l10n.t(
        'Port {0}, which "{1}" wanted, is in use by the session "{2}".',
        port,
        name,
        nameInMessage(other.label),
      ),
      [
        { title: vscode.l10n.t('Show'), run: () => show(other) },
        { title: vscode.l10n.t('Stop It'), run: () => stop(other) },
      ],
    );
  }
}

async function holderOfWanted(session: Session): Promise<PortHolder | undefined> {
  const busy = busyPortIn(await newestText(session));
  if (busy === undefined) {
    return undefined;
  }
  const ports = busy.port === undefined ? wantedPorts(await session.startedWith()) : [busy.port];
  return holderOf(session, ports);
}
