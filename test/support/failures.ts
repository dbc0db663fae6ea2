import { type ExecFailure, ExecError } from '../../src/core/index.js';

/** The failure of a process whose connection has ended for good. */
export function cutOff(ended: string): ExecFailure {
  return { kind: 'disconnected', reason: { kind: 'ended', ended } };
}

/** The text that the protocol has for a failure; empty if there is none. */
export function wireText(failure: ExecFailure | undefined): string {
  return failure === undefined ? '' : new ExecError(failure).wireMessage;
}
