import type { Localizer } from '../localizer.js';

/** JSON-RPC error codes of the exec-server wire. */
export const ErrorCode = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
} as const;

export const { invalidRequest, invalidParams, internal } = ErrorCode;

/** The failures of these kinds as values. `Kinds` has the members of each beside its kind. */
export type FailureOf<Kinds, K extends keyof Kinds = keyof Kinds> = {
  [P in K]: { readonly kind: P } & Kinds[P];
}[K];

/** Everything about one kind of failure. */
export interface FailureForm<Kinds, K extends keyof Kinds> {
  readonly code: number;
  /** The message on the wire; a server may say it in other words. */
  readonly wire: (failure: FailureOf<Kinds, K>) => string;
  /**
   * The types of its members, by which a failure that a server names is recognized; or the note that no server names
   * it.
   */
  readonly members: MemberTypes<Kinds[K]> | typeof NOT_SAID;
  /** A sentence or more for people: what happened, to what, and what to do. */
  readonly words: (failure: FailureOf<Kinds, K>, l10n: Localizer) => string;
}

/** A form for each kind. */
export type FailureForms<Kinds> = { readonly [K in keyof Kinds]: FailureForm<Kinds, K> };

type MemberTypes<Members> = {
  readonly [M in keyof Members]: Members[M] extends string
    ? 'string'
    : Members[M] extends number
      ? 'number'
      : never;
};

export const NOT_SAID = 'not said by servers';

export type Nothing = object;
export interface OfProcess {
  readonly processId: string;
}
export interface WithReason {
  readonly reason: string;
}
