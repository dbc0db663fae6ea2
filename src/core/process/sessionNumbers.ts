/** The origin of a number, as far as it can be known. */
export type NumberOrigin =
  /** It was given out here. */
  | { readonly kind: 'own' }
  /** The number was never given out, or its origin cannot be known. */
  | { readonly kind: 'unknown' }
  /** Its program has ended, and the program's sessions with it. */
  | { readonly kind: 'ended' }
  /** Its program is on another machine, or in another container. Nothing else can be known about it. */
  | { readonly kind: 'elsewhere' }
  /** Its program is running. */
  | { readonly kind: 'running'; readonly pid: number };

/** The source of the numbers of agents' sessions. */
export interface SessionNumbers {
  /** A number that no session has had. Never rejects. */
  next(): Promise<number>;
  /** The program that has given out a number. */
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
