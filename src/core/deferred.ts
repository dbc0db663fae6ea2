/** A promise together with the function that fulfils it. */
export interface Deferred {
  readonly promise: Promise<void>;
  /** Fulfils the promise. Has no effect when called again. */
  readonly resolve: () => void;
}

/** Makes a promise that other code fulfils. (Node 20 has no Promise.withResolvers.) */
export function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
