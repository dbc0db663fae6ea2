import type { ConnectionState } from '../../core/index.js';
import type { EnvironmentDefinition } from './environmentDefinition.js';

/** How things stand with an environment. `lost` stays until somebody connects again, or lets go of it. */
export type EnvironmentState =
  { readonly kind: 'disconnected' } | { readonly kind: 'connecting' } | ConnectionState;

/** Everything about an environment that is shown, as plain data. */
export interface EnvironmentSnapshot {
  readonly id: string;
  readonly label: string;
  readonly kind: 'local' | EnvironmentDefinition['kind'];
  /** Its address, or the command line of the program that speaks for it; empty for this machine. */
  readonly target: string;
  readonly state: EnvironmentState;
  /** It is no longer in the settings, and stays until it is disconnected. */
  readonly removed: boolean;
}

/** Whether there is a backend to start something with, now or as soon as the connection is back. */
export function isOpen(state: EnvironmentState): boolean {
  return state.kind === 'connected' || state.kind === 'recovering';
}

/** Whole seconds until a time, for a countdown: the last one shows 1. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
