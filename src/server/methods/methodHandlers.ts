import type { Disposable, HostVariables } from '../../core/index.js';
import type { Answer, ParamsOf, RequestName, ResultOf, ServerWire } from '../../protocol/index.js';

/** What the server found where it was started: its own, and the same for every connection. */
export interface ServerEnvironment {
  /** The variables that env policies inherit from, and where `http/request` looks for variables. */
  readonly hostEnv: HostVariables;
  /** The working directory that the server was started in, as an absolute path. */
  readonly cwd: string;
}

/** What a method knows of the connection that it was called on. One object for the whole life of a connection. */
export interface ConnectionContext {
  /** Aborted when the connection ends: whatever waits or runs for it alone should end as well. */
  readonly signal: AbortSignal;
  readonly wire: ServerWire;
  readonly environment: ServerEnvironment;
  /** Calls `dispose` once when the connection ends, at once if it has; what is returned takes that back. */
  onEnd(dispose: () => void): Disposable;
}

/**
 * A group of methods. The parameters have been decoded and the handshake is done. What a method throws, a
 * {@link WireError} or an `ExecError`, is the answer; anything else is a fault of ours.
 */
export type MethodHandlers = Readonly<
  Partial<{
    [M in RequestName]: (params: ParamsOf<M>, context: ConnectionContext) => Promise<Outcome<M>> | Outcome<M>;
  }>
>;

type Outcome<M extends RequestName> = ResultOf<M> | Answer<ResultOf<M>>;

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
