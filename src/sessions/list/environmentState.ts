import type { ConnectionState } from '../../core/index.js';
import type { EnvironmentDefinition } from './environmentDefinition.js';

/** The state of an environment. `lost` stays until somebody connects or disconnects. */
export type EnvironmentState =
  { readonly kind: 'disconnected' } | { readonly kind: 'connecting' } | ConnectionState;

/** Everything about an environment that is shown, as plain data. */
export interface EnvironmentSnapshot {
  readonly id: string;
  readonly label: string;
  readonly kind: 'local' | EnvironmentDefinition['kind'];
  /** The server's address, or the command line of the program that leads to it; empty for this machine. */
  readonly target: string;
  readonly state: EnvironmentState;
  /** Whether the environment is no longer in the settings; it then stays until it is disconnected. */
  readonly removed: boolean;
}

/** Whether there is a backend to start processes with, now or as soon as the connection is back. */
export function isOpen(state: EnvironmentState): boolean {
  return state.kind === 'connected' || state.kind === 'recovering';
}

/**
 * Whole seconds until a time, rounded up, so that the last second of a countdown shows 1. Both arguments are in
 * milliseconds.
 */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
