import * as vscode from 'vscode';

import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type {
  Session,
  SessionEvents,
  SessionList,
  WindowFolders,
  WindowMarks,
} from '../../sessions/list/index.js';
import type { McpServer } from '../agents/mcpServer.js';
import type { Dialogs } from '../dialogs.js';
import type { Messages } from '../messages.js';
import type { SettingsReader } from '../settingsReader.js';
import type { SessionTerminals } from '../terminals/sessionTerminals.js';
import { BusyPorts } from './busyPorts.js';
import { EndNotices } from './endNotices.js';
import { tellOfQuestions } from './questionNotices.js';
import { SessionsStatus } from './statusBar.js';
import { tellOfOutputEnds, tellOfUnwrittenReceipts } from './storageNotices.js';

interface NoticesOptions {
  readonly events: SessionEvents;
  readonly list: SessionList;
  readonly folders: WindowFolders;
  readonly marks: WindowMarks;
  readonly clock: Clock;
  readonly dialogs: Dialogs;
  readonly messages: Messages;
  readonly settings: SettingsReader;
  readonly terminals: SessionTerminals;
  readonly mcpServer: McpServer;
  readonly stop: (session: Session) => Promise<void>;
  readonly restart: (session: Session) => void;
}

/** Tells people of the sessions of this window: in its status bar, and by messages. Other windows tell of their own. */
export function showNotices(options: NoticesOptions): Disposable {
  const { events, list, folders, clock, dialogs, messages, settings, terminals, mcpServer, stop, restart } =
    options;
  const store = new DisposableStore();
  // Sessions that ended before this window opened are shown by their rows, and an earlier message may have named them.
  const old = new WeakSet<Session>();
  store.add(
    events.onDidStart((session) => {
      if (session.adopted && session.ended) {
        old.add(session);
      }
    }),
  );
  const isOwn = (session: Session) => folders.has(session) && !old.has(session);
  const show = (session: Session) => void terminals.open(session);
  store.add(tellOfOutputEnds(list, messages, isOwn));
  store.add(tellOfUnwrittenReceipts(list, messages, isOwn));
  const busyPorts = store.add(new BusyPorts({ events, list, isOwn, messages, show, stop, restart }));
  const terminalsOf = (session: Session) =>
    terminals.all.filter((open) => open.session === session).map(({ terminal }) => terminal);
  const isVisible = (session: Session) => isInSight(terminalsOf(session), vscode.window);
  store.add(tellOfQuestions({ events, clock, messages, isOwn, isVisible, show }));
  store.add(
    new EndNotices({
      events,
      clock,
      dialogs,
      about: () => settings.get('notify'),
      isVisible,
      isListed: (session) => list.get(session.id) === session,
      isOwn,
      isMarked: (session) => !old.has(session) && options.marks.has(session, 'notify'),
      isToldOf: (session) => busyPorts.hasTold(session),
      show,
      restart,
    }),
  );
  store.add(new SessionsStatus(list, isOwn, mcpServer));
  return store;
}

/** The facts that VS Code gives about its terminals. */
type TerminalsOfWindow = Pick<typeof vscode.window, 'activeTerminal' | 'terminals' | 'tabGroups'>;

/**
 * Whether a person can see one of these terminals. This is true of the last active terminal, and of a front terminal of
 * a column of the editor area. VS Code names that one only by its title; if several terminals have the title, they do
 * not count. VS Code does not report the other half of a split terminal, nor whether the panel is closed.
 */
export function isInSight(
  terminals: readonly vscode.Terminal[],
  { activeTerminal, terminals: all, tabGroups }: TerminalsOfWindow,
): boolean {
  const titles = tabGroups.all
    .map(({ activeTab }) => activeTab)
    .filter((tab) => tab?.input instanceof vscode.TabInputTerminal)
    .map((tab) => tab?.label);
  return terminals.some(
    (terminal) =>
      terminal === activeTerminal ||
      (titles.includes(terminal.name) && all.filter(({ name }) => name === terminal.name).length === 1),
  );
}
