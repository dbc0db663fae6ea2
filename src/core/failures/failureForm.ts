import type { Localizer } from '../localizer.js';

/** JSON-RPC error codes of the exec-server wire. */
export const ErrorCode = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
} as const;

export const { invalidRequest, invalidParams, internal } = ErrorCode;

/** The failures of these kinds as values. `Kinds` lists the members of each failure besides its kind. */
export type FailureOf<Kinds, K extends keyof Kinds = keyof Kinds> = {
  [P in K]: { readonly kind: P } & Kinds[P];
}[K];

/** Everything about one kind of failure. */
export interface FailureForm<Kinds, K extends keyof Kinds> {
  readonly code: number;
  /** The message on the wire; another server may word it differently. */
  readonly wire: (failure: FailureOf<Kinds, K>) => string;
  /**
   * The types of the failure's members, by which a failure from a server is recognized; or the note that no server
   * sends it.
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
