import * as vscode from 'vscode';

import { DisposableStore, oneLine, type SightingSource } from '../core/index.js';
import { LOCAL_ID, type Session, WindowMarks } from '../sessions/list/index.js';
import { SessionTargets } from './commands/sessionTargets.js';
import { Batches } from './environments/batches.js';
import { EnvironmentAdder } from './environments/environmentAdder.js';
import { EnvironmentConnector } from './environments/environmentConnector.js';
import { tellOfEnvironments } from './environments/environmentNews.js';
import { Earlier } from './machine/earlier.js';
import { SESSIONS_VIEW } from './ids.js';
import { KeepOffer } from './output/keepOffer.js';
import { OutputDocuments } from './output/outputDocuments.js';
import { Stopper } from './stopper.js';
import { ACTIVE_TERMINAL_KEY, followActiveTerminal, showActiveTerminal } from './terminals/activeTerminal.js';
import { ClosedTerminals } from './terminals/closeAction.js';
import { EnvironmentLinks } from './terminals/environmentLinks.js';
import { SessionTerminals } from './terminals/sessionTerminals.js';
import { ShellCommands } from './terminals/shellCommands.js';
import { TerminalMemory } from './terminals/terminalMemory.js';
import { EarlierRows } from './tree/earlierRows.js';
import { SightingRows } from './tree/sightingRows.js';
import { SessionTree } from './tree/sessionTree.js';
import type { Sessions } from './createSessions.js';
import type { ServiceOptions } from './serviceOptions.js';
import { ArrangementChoice, MemberWatch } from '../sessions/tree/index.js';

/** The terminals, documents and views that show the sessions of this window. */
export function createWindow(options: ServiceOptions, sessions: Sessions) {
  const { memento, folders } = options;
  const { log, dialogs, messages, settings, clock, list, server, tokens, connectTo, environments } = sessions;
  const { attended, sizes, quietStarter } = sessions;
  const store = new DisposableStore();
  const stopper = new Stopper({ settings, messages, clock });
  const stopVisibly = async (session: Session) => {
    await stopper.stopVisibly([session]);
  };
  const closed = store.add(
    new ClosedTerminals({
      action: () => settings.get('terminalOnClose'),
      memento: options.globalMemento,
      messages,
      clock,
      log,
      show: async ([first]) => {
        await vscode.commands.executeCommand(`${SESSIONS_VIEW}.focus`);
        return first && display.reveal(first);
      },
      stop: (ofThem) => stopper.stopVisibly(ofThem),
      reopen: (session) => terminals.open(session),
    }),
  );
  const terminals = store.add(
    new SessionTerminals({
      list,
      runAgain: (session) => quietStarter.runAgain(session),
      closed: (session) => closed.add(session),
      sizes,
      log,
    }),
  );
  const links = new EnvironmentLinks({
    environments,
    messages,
    sessionOf: (one) => terminals.sessionOf(one),
  });
  store.add(vscode.window.registerTerminalLinkProvider(links));
  const memory = server && store.add(new TerminalMemory({ memento, list, terminals, clock }));
  const keepOffer = new KeepOffer(messages);
  const earlier = new Earlier(options.loadMachine, sessions.receipts);
  const documents = store.add(new OutputDocuments(list, earlier, clock, keepOffer.whenMissing));
  const connector = new EnvironmentConnector({ environments, tokens, dialogs, messages, clock, attended });
  const environmentAdder = new EnvironmentAdder({
    environments,
    settings,
    tokens,
    connector,
    dialogs,
    messages,
    clock,
    ...{ attended, connectTo },
    offered: options.offerMembers,
  });
  const connect = (id: string) => connector.connect(id);
  const isOwn = (session: Session) => folders.has(session);
  store.add(tellOfEnvironments({ environments, list, messages, log, connect, isOwn }));
  const arrangement = store.add(rememberedArrangement(memento));
  const marks = new WindowMarks(folders);
  const earlierRows = store.add(
    new EarlierRows({
      read: () => earlier.receipts(),
      withOutput: () => earlier.withOutput(),
      isListed: (id) => list.get(id) !== undefined,
      clock,
      log: (line) => log.warn(oneLine(line)),
    }),
  );
  const members = store.add(new MemberWatch(clock, options.listMembers));
  const batches = store.add(new Batches());
  const keepHours = () => settings.get('keepWithoutClientHours');
  const shellCommands = store.add(new ShellCommands(clock, messages));
  let ownLook: SightingSource | undefined;
  const look = async () => {
    try {
      const { sightings } = environments.open(LOCAL_ID)?.backend ?? {};
      return await (sightings ?? (ownLook ??= new (await import('../local/index.js')).Sightings())).look();
    } catch (error) {
      log.warn(oneLine(`Other processes cannot be listed: ${String(error)}`));
      return [];
    }
  };
  const isOn = () => process.platform === 'linux' && settings.get('otherProcesses');
  const sightings = store.add(new SightingRows({ look, shellCommands, isOn, clock }));
  const parts = { members, batches, sightings };
  const tree = store.add(
    new SessionTree(list, environments, clock, arrangement, folders, earlierRows, keepHours, parts),
  );
  const ofThisWindow = () => list.sessions.filter(isOwn);
  const display = store.add(options.showTree(tree, ofThisWindow));
  const targets = new SessionTargets({
    list,
    dialogs,
    messages,
    active: () => terminals.sessionOf(vscode.window.activeTerminal),
    forKey: (opens) => display.forKey(opens),
    shownIn: (target) => terminals.sessionOf(target as vscode.Terminal | undefined),
  });
  store.add(
    showActiveTerminal(
      terminals,
      list,
      (value) => void vscode.commands.executeCommand('setContext', ACTIVE_TERMINAL_KEY, value),
    ),
  );
  store.add(followActiveTerminal(terminals, display));
  return {
    stopper,
    stopVisibly,
    terminals,
    memory,
    keepOffer,
    earlier,
    documents,
    connector,
    environmentAdder,
    arrangement,
    marks,
    earlierRows,
    shellCommands,
    lookAround: look,
    tree,
    members,
    batches,
    ofThisWindow,
    display,
    targets,
    dispose: () => store.dispose(),
  };
}

/** The storage of this workspace's grouping, and of the place of other folders' sessions. */
const GROUPING_KEY = 'execSessions.grouping';
const ELSEWHERE_KEY = 'execSessions.elsewhere';

/** The arrangement of the tree as it was chosen last in this workspace. */
function rememberedArrangement(memento: vscode.Memento): ArrangementChoice {
  return new ArrangementChoice(
    { grouping: memento.get(GROUPING_KEY), elsewhere: memento.get(ELSEWHERE_KEY) },
    ({ grouping, elsewhere }) => {
      void memento.update(GROUPING_KEY, grouping);
      void memento.update(ELSEWHERE_KEY, elsewhere);
    },
  );
}
