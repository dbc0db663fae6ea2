import { english, type Localizer } from '../localizer.js';
import { CONNECT_FORMS, type ConnectFailures } from './connectFailures.js';
import { type FailureForms, type FailureOf, NOT_SAID } from './failureForm.js';
import { PROCESS_FORMS, type ProcessFailures } from './processFailures.js';
import { SERVER_FORMS, type ServerFailures } from './serverFailures.js';
import { isTooLong, START_FORMS, type StartFailures } from './startFailures.js';

export { ErrorCode } from './failureForm.js';
export { isTooLong };
export type { TerminalTrouble } from './processFailures.js';
export type { SandboxTrouble } from './startFailures.js';

interface Failures extends StartFailures, ProcessFailures, ConnectFailures, ServerFailures {}

type FailureKind = keyof Failures;

/** A failure as a value, which a user interface can word in its own language. */
export type ExecFailure<K extends FailureKind = FailureKind> = FailureOf<Failures, K>;

/** A failure to reach a server. */
export type ConnectFailure = ExecFailure<keyof ConnectFailures>;

/** All kinds; the compiler reports one that has no form. */
const FORMS: FailureForms<Failures> = { ...START_FORMS, ...PROCESS_FORMS, ...CONNECT_FORMS, ...SERVER_FORMS };

/** Words a failure for people: what happened, to what, and what to do. */
export function describeFailure<K extends FailureKind>(
  failure: ExecFailure<K>,
  l10n: Localizer = english,
): string {
  return FORMS[failure.kind].words(failure, l10n);
}

/** The code and the message of a failure on the wire. */
export function wireFormOf<K extends FailureKind>(
  failure: ExecFailure<K>,
): { code: number; message: string } {
  const { code, wire } = FORMS[failure.kind];
  return { code, message: wire(failure) };
}

/**
 * The failure that one of our servers sent beside the message of an error; undefined if servers do not send that
 * failure.
 */
export function failureFromWire(value: unknown): ExecFailure | undefined {
  return isFailureFromWire(value) ? value : undefined;
}

function isFailureFromWire(value: unknown): value is ExecFailure {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !isFailureKind(value.kind)) {
    return false;
  }
  const { members } = FORMS[value.kind];
  return (
    members !== NOT_SAID &&
    Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type)
  );
}

/** Whether this copy of the table has the kind. */
export function isFailureKind(kind: unknown): kind is FailureKind {
  return typeof kind === 'string' && Object.hasOwn(FORMS, kind);
}
