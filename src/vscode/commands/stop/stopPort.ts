import * as vscode from 'vscode';

import type { ListeningProcess } from '../../../machine/index.js';
import { LOCAL_ID, type Session } from '../../../sessions/list/index.js';
import { sessionLabel, statusText, withoutIcons } from '../../../sessions/words/index.js';
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
  const isLocal = ({ session }: { readonly session: Session }) => isHere(session);
  const rows = list.sessions.toReversed().flatMap((session) =>
    session.ports.map((port) => ({
      label: `:${port}`,
      description: withoutIcons(whatStops(session)),
      port,
      session,
    })),
  );
  const ordered = [...rows.filter(isLocal), ...rows.filter((row) => !isLocal(row))];
  return dialogs.live<PortRow>({
    title: vscode.l10n.t('Stop What Listens at Port'),
    placeHolder: vscode.l10n.t('A port, such as 3000'),
    follow: (typed, show) => {
      const port = portIn(typed);
      const exact = ordered.filter((row) => row.port === port);
      const isKnown = exact.some(isLocal);
      const description = vscode.l10n.t('See what listens there');
      const text = typed.trim().toLowerCase();
      const alike = ordered.filter((row) => `${row.label} ${row.description}`.toLowerCase().includes(text));
      show([
        ...(port === undefined || isKnown ? [] : [{ label: `:${port}`, description, port }]),
        ...new Set([...exact, ...(isKnown ? [] : alike)]),
      ]);
    },
  });
}

function isHere({ environment }: Session): boolean {
  return environment.id === LOCAL_ID;
}

/** The session in a few words, with its machine if that is another one. */
function whatStops(session: Session): string {
  // The row begins with its port.
  const snapshot = { ...session.snapshot(), ports: [] };
  const facts = [sessionLabel(snapshot), statusText(snapshot, Date.now(), vscode.l10n)];
  return [...facts, ...(isHere(session) ? [] : [session.environment.label])].join(' · ');
}

/** The port that somebody has typed: `3000` or `:3000`. */
function portIn(typed: string): number | undefined {
  const port = Number(/^\s*:?(\d{1,5})\s*$/.exec(typed)?.[1]);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Stops the session of this machine that listens at a port, after a question. Otherwise says who listens there. */
async function stopHolder(context: PortContext, port: number): Promise<void> {
  const { dialogs, list, messages, stopper } = context;
  const session = await sessionAt(list, port);
  if (session === undefined) {
    await endStranger(context, port);
  } else if (canBeStopped(session.snapshot())) {
    const question = vscode.l10n.t('Stop {0}? It listens at port {1}.', quoted([session]), port);
    if (!(await dialogs.confirm(question, '', vscode.l10n.t('Stop')))) {
      return;
    }
    if ((await sessionAt(list, port)) === session && canBeStopped(session.snapshot())) {
      await stopper.stopVisibly([session]);
    } else {
      tellGone(messages, quoted([session]), port);
    }
  } else {
    messages.tell(
      vscode.l10n.t('A process that {0} has left running listens at port {1}.', quoted([session]), port),
      [endLeftoverOf(session)],
    );
  }
}

/** The session of this machine that listens at a port, or has left a process that does. */
async function sessionAt(list: PortContext['list'], port: number): Promise<Session | undefined> {
  const here = list.sessions.filter((session) => isHere(session) && session.state !== 'lost');
  await lookAtPorts(here);
  return here.find(({ ports }) => ports.includes(port)) ?? leaverAt(here, port);
}

/** Says that a question took longer than its subject. */
function tellGone(messages: PortContext['messages'], name: string, port: number): void {
  messages.tell(vscode.l10n.t('Nothing was stopped: {0} no longer listens at port {1}.', name, port));
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
        ? vscode.l10n.t('No session listens at port {0}. Other programs cannot be seen on this system.', port)
        : vscode.l10n.t('Nothing listens at port {0} of this machine.', port),
    );
    return;
  }
  const name = holderName(first);
  const { identity } = first;
  if (identity === undefined) {
    messages.tell(
      vscode.l10n.t(
        'Port {0} is in use by {1}, which is no session of this list. Nothing was stopped.',
        port,
        name,
      ),
    );
    return;
  }
  const agreed = await dialogs.confirm(
    vscode.l10n.t('End {0}? It listens at port {1}.', name, port),
    vscode.l10n.t(
      'It is no session of this list: something else has started it. It is asked to end, and killed if it does not.',
    ),
    vscode.l10n.t('End Process'),
  );
  if (!agreed) {
    return;
  }
  const isSame = (holder: ListeningProcess) =>
    holder.identity?.pid === identity.pid && holder.identity.startTime === identity.startTime;
  if ((await earlier.processesAt(port))?.some(isSame) !== true) {
    tellGone(messages, name, port);
    return;
  }
  const { exited } = await earlier.end(identity);
  const [next] = (await earlier.processesAt(port)) ?? [];
  if (!exited) {
    messages.warn(vscode.l10n.t('{0} has not ended, although it was killed.', name));
  } else if (next === undefined) {
    messages.did(vscode.l10n.t('Ended {0}.', name));
  } else {
    messages.warn(vscode.l10n.t('Ended {0}. Port {1} is still in use by {2}.', name, port, holderName(next)));
  }
}
