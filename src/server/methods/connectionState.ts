import type { ConnectionContext } from './methodHandlers.js';

/** Something that every connection has one of, made when it is first needed. It goes with the connection. */
export function connectionState<T>(
  make: (context: ConnectionContext) => T,
): (context: ConnectionContext) => T {
  const states = new WeakMap<ConnectionContext, { readonly state: T }>();
  return (context) => {
    const known = states.get(context) ?? { state: make(context) };
    states.set(context, known);
    return known.state;
  };
}
