import type { Disposable, HostVariables } from '../../core/index.js';
import type { Quotas } from '../quotas.js';
import type { Answer, ParamsOf, RequestName, ResultOf, ServerWire } from '../../protocol/index.js';

/** The environment in which the server was started; the same for every connection. */
export interface ServerEnvironment {
  /** The variables from which env policies inherit, and in which `http/request` looks up values of headers. */
  readonly hostEnv: HostVariables;
  /** The working directory that the server was started in, as an absolute path. */
  readonly cwd: string;
  /** Whether any program of this user can connect over TCP, since the server asks for no token. */
  readonly isOpen?: boolean;
}

/** The connection on which a method was called. One object for the whole life of a connection. */
export interface ConnectionContext {
  /** Aborted when the connection ends: work that is for this connection alone should end as well. */
  readonly signal: AbortSignal;
  readonly wire: ServerWire;
  readonly environment: ServerEnvironment;
  readonly quotas: Quotas;
  /** Calls `dispose` once when the connection ends, at once if it has ended. Disposing the result cancels that. */
  onEnd(dispose: () => void): Disposable;
}

/**
 * A group of methods. Their parameters have been decoded and the handshake is done. An error that a method throws
 * becomes the answer if it is a {@link WireError} or an `ExecError`; any other error is a fault of ours.
 */
export type MethodHandlers = Readonly<
  Partial<{
    [M in RequestName]: (params: ParamsOf<M>, context: ConnectionContext) => Promise<Outcome<M>> | Outcome<M>;
  }>
>;

type Outcome<M extends RequestName> = ResultOf<M> | Answer<ResultOf<M>>;

/**
 * Gives every connection a state of its own, which is made when it is first needed, and dropped with the connection.
 */
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

/** Gives every server a state of its own, which its connections share. It is made when it is first needed. */
export function serverState<T>(make: () => T): (context: ConnectionContext) => T {
  const states = new WeakMap<ServerEnvironment, { readonly state: T }>();
  return ({ environment }) => {
    const known = states.get(environment) ?? { state: make() };
    states.set(environment, known);
    return known.state;
  };
}
