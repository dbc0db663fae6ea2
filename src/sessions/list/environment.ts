import type { ConnectionState, EngineKind, ExecBackend, HostInfo } from '../../core/index.js';

/** An environment as the user describes it: where its exec-server is, and how to reach it. */
export type EnvironmentDefinition = {
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** The directory, on that machine, of sessions that name none. */
  readonly cwd?: string;
  /** Directories on that machine whose files are on this one too, each with its path here. */
  readonly folders?: Readonly<Record<string, string>>;
} & (
  | { readonly kind: 'websocket'; readonly url: string }
  /** A program on this machine whose standard input and output lead to the server. */
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      /** Exit codes with which the program says that there is nothing to be reached any more. */
      readonly finalExitCodes?: readonly number[];
    }
  /** A command that runs its last argument in a shell of the other side, where the server installs itself. */
  | { readonly kind: 'shell'; readonly argv: readonly string[] }
  | MemberDefinition
);

/** A member of an engine, in which the server installs itself. */
export interface MemberDefinition {
  readonly kind: EngineKind;
  /** Its name, as in `Member`. */
  readonly target: string;
  readonly context?: string;
}

/** A row of the tree for an engine; its members come and go below it. */
export interface EngineDefinition {
  readonly id: string;
  readonly name: string;
  readonly kind: EngineKind;
  /** Its choice of members, as in `EngineQuery`. */
  readonly members: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly cwd?: string;
}

/** A place where processes run, with the name that people see. */
export interface ExecEnvironment {
  readonly id: string;
  readonly label: string;
  readonly backend: ExecBackend;
  /** Whether its server keeps sessions until somebody removes them, as that of this machine does. */
  readonly ownsSessions?: boolean;
}

/** The id of the environment that always exists: this machine. */
export const LOCAL_ID = 'local';

/** The state of an environment. `lost` stays until somebody connects or disconnects. */
export type EnvironmentState =
  { readonly kind: 'disconnected' } | { readonly kind: 'connecting' } | ConnectionState;

/** Everything about an environment that is shown, as plain data. */
export interface EnvironmentSnapshot {
  readonly id: string;
  readonly label: string;
  readonly kind: 'local' | EnvironmentDefinition['kind'];
  /** The server's address, or the command line of the program that leads to it; empty for this machine. */
  readonly target: string;
  readonly state: EnvironmentState;
  /** Whether the environment is no longer in the settings; it then stays until it is disconnected. */
  readonly removed: boolean;
  /** The facts about the machine while there is a connection. */
  readonly host?: HostInfo | undefined;
}

/** Whether there is a backend to start processes with, now or as soon as the connection is back. */
export function isOpen(state: EnvironmentState): boolean {
  return state.kind === 'connected' || state.kind === 'recovering';
}

/**
 * Whole seconds until a time, rounded up, so that the last second of a countdown shows 1. Both arguments are in
 * milliseconds.
 */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
