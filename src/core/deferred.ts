/** A promise together with what fulfils it. */
export interface Deferred {
  readonly promise: Promise<void>;
  /** Fulfils the promise. Has no effect when called again. */
  readonly resolve: () => void;
}

/** Makes a promise that somebody else fulfils. (Promise.withResolvers is not in Node 20.) */
export function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
