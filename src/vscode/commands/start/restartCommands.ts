import * as vscode from 'vscode';

import {
  type BeforeStart,
  inTheWay,
  systemClock,
  type VariableChanges,
  WINDOW_MARKS,
} from '../../../core/index.js';
import { LOCAL_ID, type Session } from '../../../sessions/list/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { holderName, portsOf, untilFree } from '../../sessionPorts.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

/** The time for which a restart waits for the ports of the stopped session, in milliseconds. */
const PORTS_MS = 5_000;

/** Commands that run the program of a session once more. */
export function restartCommands(context: CommandContext) {
  const underWay = new Set<Session>();
  /** Pressing twice restarts once. */
  const restartOnce = async (session: Session): Promise<string | undefined> => {
    if (underWay.has(session)) {
      return undefined;
    }
    underWay.add(session);
    return restart(context, session).finally(() => underWay.delete(session));
  };
  return {
    [CommandId.restart]: async (target, all) =>
      context.messages.firstOf(await context.targets.many(target, all, wanted.restart()), restartOnce),
    [CommandId.runAgain]: async (target, all) => {
      const sessions = await context.targets.many(target, all, wanted.runAgain());
      const running = sessions.filter(({ ended }) => !ended);
      const answer = running.length === 0 ? 'copy' : await askForCopy(context, running);
      if (answer === undefined) {
        return undefined;
      }
      return context.messages.firstOf(sessions, (session) =>
        answer === 'restart' && !session.ended
          ? restartOnce(session)
          : runBeside(context, session, sessions.length === 1),
      );
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks before a start of what runs already, or whose port is taken. Calls it off if the person does not want it. */
export function askFirst(context: CommandContext, changes: VariableChanges): BeforeStart {
  return async (request, backend) => {
    const found = await inTheWay(request, changes, backend);
    if (found === undefined) {
      return;
    }
    const { same, port, info, listener } = found;
    const session = info && context.list.sessionOf(backend, info.processId);
    const name = nameInMessage(session?.label ?? '?');
    const shows = vscode.l10n.t('Show It');
    const restarts = vscode.l10n.t('Restart It');
    const start = vscode.l10n.t('Start Anyway');
    const answer = await context.dialogs.choose(
      same
        ? vscode.l10n.t('"{0}" is still running.', name)
        : vscode.l10n.t(
            'Port {0} is in use by {1}.',
            port,
            session || !listener ? name : holderName(listener),
          ),
      vscode.l10n.t('The new session would want port {0} too.', port),
      ...(session ? (same ? [shows, restarts, start] : [shows, start]) : [start]),
    );
    if (session && answer === shows) {
      context.terminals.open(session);
    } else if (session && answer === restarts) {
      await restart(context, session);
    }
    if (answer !== start) {
      throw new vscode.CancellationError();
    }
  };
}

/** @param opens Whether its terminal opens. The rows of several new sessions are enough. */
async function runBeside(
  context: CommandContext,
  session: Session,
  opens: boolean,
): Promise<string | undefined> {
  if (!(await isReachable(context, session))) {
    return undefined;
  }
  // For running ones, second copies have been agreed to.
  if (session.ended) {
    await askFirst(context, {})(await session.startedWith(), session.environment.backend);
  }
  const next = await context.starter.runAgain(session);
  if (opens) {
    context.terminals.open(next, { fresh: true });
  }
  return next.id;
}

/** Asks whether second copies of running sessions are meant. */
async function askForCopy(
  { dialogs }: CommandContext,
  sessions: readonly Session[],
): Promise<'copy' | 'restart' | undefined> {
  const restarts = vscode.l10n.t('Restart');
  const copies = vscode.l10n.t('Start a Second Copy');
  const answer = await dialogs.choose(
    sessions.length === 1
      ? vscode.l10n.t('"{0}" is still running.', nameInMessage(sessions[0]?.label ?? ''))
      : vscode.l10n.t('{0} sessions are still running.', sessions.length),
    vscode.l10n.t('Restart stops first. A second copy runs beside the first one.'),
    restarts,
    copies,
  );
  return answer === restarts ? 'restart' : answer === copies ? 'copy' : undefined;
}

/**
 * Restarts a session, which takes its marks along.
 *
 * @returns the id of the new session; undefined if it was not started, and the user has been told.
 */
async function restart(context: CommandContext, session: Session): Promise<string | undefined> {
  const { marks } = context;
  const carried = WINDOW_MARKS.filter((mark) => marks.has(session, mark));
  // A person who restarts it knows that it ends.
  marks.set([session], 'notify', false);
  let next: Session | undefined;
  try {
    next = await startAnew(context, session);
  } finally {
    for (const mark of carried) {
      if (next !== undefined) {
        marks.set([session], mark, false);
      }
      marks.set([next ?? session], mark, true);
    }
  }
  return next?.id;
}

/** Stops a running session, waits until its ports are free, and runs it again in the same terminal and list place. */
async function startAnew(context: CommandContext, session: Session): Promise<Session | undefined> {
  const { tree, terminals } = context;
  if (!(await isReachable(context, session))) {
    return undefined;
  }
  if (!session.ended) {
    const ports = await portsOf(session);
    if (!(await isStopped(context, session)) || !(await mayStart(context, session, ports))) {
      return undefined;
    }
  }
  tree.expectRepeat(session);
  return terminals.runAgainInPlace(session).finally(() => tree.forgetRepeat(session));
}

/** Stops a session. Says why if it does not end. */
async function isStopped({ stopper }: CommandContext, session: Session): Promise<boolean> {
  await stopper.stopVisibly([session]);
  return session.ended;
}

/** Waits for the ports of the stopped session, and asks what to do if another program has one. */
async function mayStart(
  { dialogs }: CommandContext,
  session: Session,
  ports: readonly number[],
): Promise<boolean> {
  for (;;) {
    const holder = await untilFree(session, ports, { limitMs: PORTS_MS, clock: systemClock });
    if (holder === undefined) {
      return true;
    }
    const again = vscode.l10n.t('Wait Again');
    const start = vscode.l10n.t('Start Anyway');
    const answer = await dialogs.choose(
      vscode.l10n.t('Port {0} is in use by {1}.', holder.port, holderName(holder.listener)),
      vscode.l10n.t(
        '"{0}" listened at this port before it was stopped. It would probably fail now.',
        nameInMessage(session.label),
      ),
      again,
      start,
    );
    if (answer !== again) {
      return answer === start;
    }
  }
}

/** Connects to the environment of a session if need be, and reports a failure. */
async function isReachable({ connector, starter }: CommandContext, session: Session): Promise<boolean> {
  const { id } = session.environment;
  starter.checkTrust();
  return id === LOCAL_ID || (await connector.connectVisibly(id)) !== undefined;
}
