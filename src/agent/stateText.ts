import {
  type ConnectionState,
  describeFailure,
  describeLoss,
  english,
  type ExecFailure,
  type ExitStatus,
} from '../core/index.js';

import type { AgentSession } from './agentSession.js';
import { durationText } from './durationText.js';

/** The state of a session, for programs. */
export type StateName = 'running' | 'waitingForSecret' | 'exited' | 'closed' | 'lost' | 'removed';

export function stateName(session: AgentSession): StateName {
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

/** The state of a session, in words. */
export function stateText(session: AgentSession, now: number): string {
  const { exit, failure } = session.info();
  const ended = exit === undefined ? 'exited' : exitText(exit);
  switch (stateName(session)) {
    case 'running':
      return `running${connectionText(session.hosted.backend.connection, now)}`;
    case 'waitingForSecret':
      return 'waiting for a secret';
    case 'exited':
      return `${ended}, output still open${connectionText(session.hosted.backend.connection, now)}`;
    case 'closed':
      return ended;
    case 'lost':
      return `${exit === undefined ? '' : `${ended}, then `}lost: ${failure === undefined ? 'its machine cannot be reached any more' : failureText(failure)}`;
    case 'removed':
      return 'removed from the list by a person or a limit';
  }
}

/** The reason why nothing can be sent to a session that does not run, as a part of a sentence. */
export function notRunningText(session: AgentSession): string {
  const { exit, failure } = session.info();
  if (exit !== undefined) {
    return 'the command had ended already';
  }
  return failure === undefined
    ? 'it is not on the list any more'
    : 'it is lost, and whether it still runs cannot be told';
}

export function exitText({ exitCode, signal }: ExitStatus): string {
  return signal === undefined ? `exited with code ${exitCode}` : `ended by ${signal} (exit code ${exitCode})`;
}

/** Why a session was lost, for models: of a lost connection the reason alone, since they are told that it is lost. */
export function failureText(failure: ExecFailure): string {
  return failure.kind === 'disconnected' ? describeLoss(failure.reason, english) : describeFailure(failure);
}

function connectionText(connection: ConnectionState, now: number): string {
  return connection.kind === 'recovering'
    ? `; its machine has not been reachable for ${durationText(now - connection.since)} and the connection is being recovered (${describeLoss(connection.reason, english)})`
    : '';
}
