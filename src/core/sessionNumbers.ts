/** What can be told of a number. */
export type NumberOrigin =
  /** It was given out here. */
  | { readonly kind: 'own' }
  /** Nobody has given it out, or nobody can tell. */
  | { readonly kind: 'unknown' }
  /** Of a program that has ended, and its sessions with it. */
  | { readonly kind: 'ended' }
  /** Of a program on another machine, or in another container, of which nothing else can be told. */
  | { readonly kind: 'elsewhere' }
  /** Of a program that runs. */
  | { readonly kind: 'running'; readonly pid: number };

/** The place where agents' sessions get their numbers from. */
export interface SessionNumbers {
  /** A number that no session has had. Never rejects. */
  next(): Promise<number>;
  /** Who has given out a number. */
  originOf(number: number): NumberOrigin;
}

/** Counts from 1, for one program alone. */
export function countedNumbers(): SessionNumbers {
  let last = 0;
  return {
    next: () => Promise.resolve((last += 1)),
    originOf: (number) => ({ kind: number >= 1 && number <= last ? 'own' : 'unknown' }),
  };
}
