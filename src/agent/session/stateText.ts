import {
  type ConnectionState,
  describeFailure,
  describeLoss,
  english,
  type ExecFailure,
  type ExitStatus,
  refusalText,
  spanText,
} from '../../core/index.js';

import type { ListedSession } from './foundSession.js';
import type { SessionAgent } from './sessionAgent.js';
import { namedSurvivors } from './stopText.js';

/** The number of left processes that are named with the state. */
const NAMED = 5;

/** The state of a session, for programs. */
type StateName = 'running' | 'waitingForSecret' | 'exited' | 'closed' | 'lost' | 'removed';

export function stateName(session: ListedSession): StateName {
  const { exit, state } = session.info();
  if (session.left === 'removed' && exit === undefined) {
    return 'removed';
  }
  switch (state) {
    case 'failed':
      return 'lost';
    case 'closed':
    case 'exited':
      return state;
    case 'starting':
    case 'running':
      return session.secret.awaited ? 'waitingForSecret' : 'running';
  }
}

/** The state of a session, in words for `reader`. */
export function stateText(session: ListedSession, now: number, reader: SessionAgent): string {
  const { exit, failure } = session.info();
  const ended = exit === undefined ? 'exited' : exitText(exit, session.causeOf(exit, reader));
  switch (stateName(session)) {
    case 'running':
      return `running${inputText(session.look, now)}${connectionText(session.hosted.backend.connection, now)}`;
    case 'waitingForSecret':
      return 'waiting for a secret';
    case 'exited':
      return `${ended}, output still open${leftText(session)}${connectionText(session.hosted.backend.connection, now)}`;
    case 'closed':
      return `${ended}${leftText(session)}`;
    case 'lost':
      return `${exit === undefined ? '' : `${ended}, then `}lost: ${failure === undefined ? 'its machine cannot be reached any more' : failureText(failure)}`;
    case 'removed':
      return 'removed from the list by a person or a limit';
  }
}

/** The input that a running program waits for. A question is in its own words, which its quotes keep apart from ours. */
function inputText({ found, question }: ListedSession['look'], now: number): string {
  if (question !== undefined) {
    const { text, since, untouched } = question;
    const typed = untouched ? '; nothing was typed' : '';
    return `; it asks: ${JSON.stringify(text)}, for ${spanText(Math.max(0, now - since))}${typed}`;
  }
  const { kind } = found ?? {};
  return kind === 'line' ? '; it waits for a line' : kind === 'pipe' ? '; it reads its standard input' : '';
}

/** The state of a session, for programs. */
export function stateFacts(session: ListedSession, now: number) {
  const state = stateName(session);
  const { question } = session.look;
  const seconds = question && Math.floor(Math.max(0, now - question.since) / 1_000);
  const asks = state === 'running' && question && { question: question.text, seconds };
  return { session: session.id, state, ...(asks && { asks }) };
}

/** The reason why nothing can be sent to a session that does not run, as a part of a sentence. */
export function notRunningText(session: ListedSession): string {
  const { exit, failure } = session.info();
  if (exit !== undefined) {
    return 'the command had ended already';
  }
  return failure === undefined
    ? 'it is not on the list any more'
    : 'it is lost, and whether it still runs cannot be told';
}

/** @param cause The one who ended it. */
function exitText(exit: ExitStatus, cause: string | undefined): string {
  const { exitCode, signal } = exit;
  const ended = signal === undefined ? `exited with code ${exitCode}` : `ended by ${signal}`;
  const facts = [
    signal === undefined ? [] : `exit code ${exitCode}`,
    cause ?? refusalText(exit) ?? [],
  ].flat();
  return facts.length === 0 ? ended : `${ended} (${facts.join(', ')})`;
}

/**
 * The processes that an ended session has left running. Those that hold its output come first, because they keep it
 * open.
 */
function leftText({ survivors }: ListedSession): string {
  const holders = survivors.filter(({ holdsOutput }) => holdsOutput === true);
  const others = survivors.filter(({ holdsOutput }) => holdsOutput !== true);
  const held =
    holders.length === 0
      ? ''
      : `: ${namedSurvivors(holders, NAMED)} ${holders.length === 1 ? 'holds' : 'hold'} it`;
  const count = `${others.length}${holders.length === 0 ? '' : ' more'}`;
  const left =
    others.length === 0
      ? ''
      : others.length === 1
        ? `; ${count} process that it started still runs: ${namedSurvivors(others, NAMED)}`
        : `; ${count} processes that it started still run: ${namedSurvivors(others, NAMED)}`;
  return `${held}${left}`;
}

/**
 * The reason why a session was lost, for models. For a lost connection it is the reason alone, because the state says
 * the rest.
 */
export function failureText(failure: ExecFailure): string {
  return failure.kind === 'disconnected' ? describeLoss(failure.reason, english) : describeFailure(failure);
}

function connectionText(connection: ConnectionState, now: number): string {
  return connection.kind === 'recovering'
    ? `; its machine has not been reachable for ${spanText(now - connection.since)} and the connection is being recovered (${describeLoss(connection.reason, english)})`
    : '';
}
