import { type HostVariables, type Member, memberText, quoteCommandLine, shellArgv } from '../core/index.js';
import { commandConnector, type CommandConnectorOptions, type Connector } from '../remote/index.js';

/** The other side: a member of an engine, or the shell that a command reaches. */
export type Reached =
  | { readonly kind: 'member'; readonly member: Member }
  /** The command runs its last argument in a shell of the other side. */
  | { readonly kind: 'shell'; readonly argv: readonly string[] };

/** The other side has no Node that runs; one can be sent. */
export interface NodeQuestion {
  readonly target: string;
  /** The version, without `v`. */
  readonly version: string;
  /** The bytes that go over the line. */
  readonly bytes: number;
}

export interface EngineConnectorOptions {
  readonly reached: Reached;
  /** The folder of our build, from which the server is sent. */
  readonly files: string;
  readonly version: string;
  /** The variables, the directory and the start of the program, as for any command. */
  readonly env?: HostVariables | undefined;
  readonly cwd?: string | undefined;
  readonly start?: CommandConnectorOptions['start'];
  /** Asked before anything is sent. A refusal leaves nothing on the other side. */
  readonly mayInstallNode: (question: NodeQuestion, signal: AbortSignal) => Promise<boolean>;
  /** Called with each step that takes time, for people to see. */
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

/** The least time for ssh to reach a host again: TCP asks at once, after a second, and only then after three. */
const LEAST_AGAIN_SECONDS = 2;

/** A step of a first connection. */
export type InstallStep = 'look' | 'fetchNode' | 'sendNode' | 'sendServer' | 'start';

/**
 * Reaches the session server of an account on another machine, over one run of one command. The server is installed and
 * started there if need be.
 */
export function engineConnector({ reached, env, cwd, start }: EngineConnectorOptions): Connector {
  const label = targetOf(reached);
  const argv = reached.kind === 'member' ? shellArgv(reached.member) : reached.argv;
  const line = 'exec exec-server bridge --stdio';
  const againArgv = (tookMs: number) => [...againTo(reached, tookMs), line];
  return commandConnector({ argv: [...argv, line], againArgv, label, env, cwd, start });
}

/**
 * The same command for a recovery. An attempt that began while the line was cut would ask its host less and less often,
 * so ssh gives it up soon. The host has a third of the time of the last login to say its first word.
 */
function againTo(reached: Reached, tookMs: number): readonly string[] {
  const seconds = Math.max(LEAST_AGAIN_SECONDS, Math.ceil(tookMs / 3_000));
  return reached.kind === 'member' ? shellArgv(reached.member, seconds) : reached.argv;
}

/** The name of the other side, for people. */
export function targetOf(reached: Reached): string {
  return reached.kind === 'member' ? memberText(reached.member) : quoteCommandLine(reached.argv);
}
