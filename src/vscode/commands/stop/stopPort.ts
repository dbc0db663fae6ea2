import * as vscode from 'vscode';

import { LOCAL_ID, type Session } from '../../../sessions/list/index.js';
import { nameInMessage, sessionLabel, statusText, withoutIcons } from '../../../sessions/words/index.js';
import { holderName, lookAtPorts } from '../../sessionPorts.js';
import { endLeftoverOf } from '../../stopper.js';
import type { CommandContext } from '../context.js';
import { quoted } from '../sessionNames.js';
import { canBeStopped } from '../wanted.js';

type PortContext = Pick<CommandContext, 'dialogs' | 'earlier' | 'list' | 'messages' | 'stopper'>;

interface PortRow extends vscode.QuickPickItem {
  readonly port?: number;
  /** The session that listens there, if the row names it. */
  readonly session?: Session;
}

/**
 * Stops the session that listens at a port, or ends another process that does so, after a question that names it.
 *
 * @param told The port of this machine. Without it, the user is asked.
 */
export async function stopPort(context: PortContext, told?: number): Promise<void> {
  const { port, session } = told === undefined ? ((await askForPort(context)) ?? {}) : { port: told };
  if (session !== undefined) {
    await context.stopper.stopVisibly([session]);
  } else if (port !== undefined) {
    await stopHolder(context, port);
  }
}

async function askForPort({ dialogs, list }: PortContext): Promise<PortRow | undefined> {
  await lookAtPorts(list.sessions);
  const known = list.sessions.toReversed().flatMap((session) =>
    session.ports.map((port) => ({
      label: `:${port}`,
      description: withoutIcons(whatStops(session)),
      port,
      session,
    })),
  );
  return dialogs.live<PortRow>({
    title: vscode.l10n.t('Stop What Listens at Port'),
    placeHolder: vscode.l10n.t('A port, such as 3000'),
    follow: (typed, show) => {
      const port = portIn(typed);
      const isKnown = known.some((row) => row.port === port && row.session.environment.id === LOCAL_ID);
      const other =
        port === undefined || isKnown
          ? []
          : [{ label: `:${port}`, description: vscode.l10n.t('Look who listens there'), port }];
      show([
        ...known.filter((row) => row.port === port),
        ...other,
        ...known.filter((row) => row.port !== port),
      ]);
    },
  });
}

/** The session in a few words, with its machine if that is another one. */
function whatStops(session: Session): string {
  const snapshot = session.snapshot();
  const { id, label } = session.environment;
  const facts = [sessionLabel(snapshot), statusText(snapshot, Date.now(), vscode.l10n)];
  return [...facts, ...(id === LOCAL_ID ? [] : [label])].join(' · ');
}

/** The port that somebody has typed: `3000` or `:3000`. */
function portIn(typed: string): number | undefined {
  const port = Number(/^\s*:?(\d{1,5})\s*$/.exec(typed)?.[1]);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Stops the session of this machine that listens at a port, after a question. Otherwise says who listens there. */
async function stopHolder(context: PortContext, port: number): Promise<void> {
  const { dialogs, list, messages, stopper } = context;
  const here = list.sessions.filter(
    ({ environment, state }) => environment.id === LOCAL_ID && state !== 'lost',
  );
  await lookAtPorts(here);
  const session = here.find(({ ports }) => ports.includes(port)) ?? (await leaverAt(here, port));
  if (session === undefined) {
    await endStranger(context, port);
  } else if (canBeStopped(session.snapshot())) {
    const question = vscode.l10n.t('Stop {0}? It listens at port {1}.', quoted([session]), port);
    if (await dialogs.confirm(question, '', vscode.l10n.t('Stop'))) {
      await stopper.stopVisibly([session]);
    }
  } else {
    messages.tell(
      vscode.l10n.t('A process that {0} has left running listens at port {1}.', quoted([session]), port),
      [endLeftoverOf(session)],
    );
  }
}

/** The session that has ended and left a process that listens at a port. */
async function leaverAt(sessions: readonly Session[], port: number): Promise<Session | undefined> {
  const leavers = sessions.filter(
    ({ state, survivors, environment }) =>
      (state === 'exited' || survivors.length > 0) && environment.backend.capabilities.listeners,
  );
  const looks = await Promise.all(leavers.map(({ process }) => process.listeners(port).catch(() => [])));
  return leavers.find((_, place) => looks[place]?.some(({ own }) => own) === true);
}

/** Ends a process that is no session, after a question. If it cannot be ended, says as much as is known of it. */
async function endStranger({ dialogs, earlier, messages }: PortContext, port: number): Promise<void> {
  const holders = await earlier.processesAt(port);
  const [first] = holders ?? [];
  if (first === undefined) {
    messages.tell(
      holders === undefined
        ? vscode.l10n.t('No session listens at port {0}. This system does not tell which program does.', port)
        : vscode.l10n.t('Nothing listens at port {0} of this machine.', port),
    );
    return;
  }
  const name = holderName(first);
  const { identity } = first;
  // VS Code itself would end with these.
  if (identity === undefined || [process.pid, process.ppid].includes(identity.pid)) {
    messages.tell(
      vscode.l10n.t('Port {0} is in use by {1}, which is not a session. Nothing was stopped.', port, name),
    );
    return;
  }
  const agreed = await dialogs.confirm(
    vscode.l10n.t('End {0}? It listens at port {1}.', name, port),
    vscode.l10n.t(
      'It is not a session: something else has started it. It is asked to end, and killed if it does not.',
    ),
    vscode.l10n.t('End Process'),
  );
  if (agreed) {
    const { exited } = await earlier.end(identity);
    const program = nameInMessage(name);
    if (exited) {
      messages.did(vscode.l10n.t('Ended {0}.', program));
    } else {
      messages.warn(vscode.l10n.t('{0} has not ended, although it was killed.', program));
    }
  }
}
