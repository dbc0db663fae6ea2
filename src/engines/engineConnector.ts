import { randomBytes } from 'node:crypto';

import { type Member, memberText, quoteCommandLine, shellArgv } from '../core/index.js';
import { readServerFiles, type ServerBuild, serverFolderName } from '../machine/index.js';
import {
  type BeginTalk,
  commandConnector,
  type CommandConnectorOptions,
  type Connector,
} from '../remote/index.js';
import { withReason } from './engineEnd.js';
import { NODE_VERSION } from './install/nodePackage.js';
import { scriptLine, type ScriptFacts } from './install/script.js';
import { type InstallOptions, installTalk, type TalkOptions } from './install/talk.js';

export type { NodeQuestion } from './install/talk.js';

/** The other side: a member of an engine, or the shell that a command reaches. */
export type Reached =
  | { readonly kind: 'member'; readonly member: Member }
  /** The command runs its last argument in a shell of the other side. */
  | { readonly kind: 'shell'; readonly argv: readonly string[] };

export interface EngineConnectorOptions extends InstallOptions {
  readonly reached: Reached;
  readonly version: string;
  /** The directory and the start of the program, as for any command. */
  readonly cwd?: string | undefined;
  readonly start?: CommandConnectorOptions['start'];
}

/** The least time for ssh to reach a host again: TCP asks at once, after a second, and only then after three. */
const LEAST_AGAIN_SECONDS = 2;

/**
 * Reaches the session server of an account on another machine, over one run of one command. The server is installed and
 * started there if need be.
 */
export function engineConnector(options: EngineConnectorOptions): Connector {
  const { reached, env } = options;
  return scriptConnector(options, (talk) => async (output, input, signal) => {
    await installTalk(talk)(output, input, signal).catch(async (failure: unknown) => {
      throw reached.kind === 'member' && !signal.aborted
        ? await withReason(failure, reached.member, env ?? process.env)
        : failure;
    });
  });
}

/** Runs the script on the other side, and talks with it. */
export function scriptConnector(
  options: EngineConnectorOptions,
  talk: (options: TalkOptions) => BeginTalk,
  removal?: ScriptFacts['removal'],
): Connector {
  const { reached, env, cwd, start } = options;
  const target = targetOf(reached);
  const mark = `EXEC-SESSIONS-${randomBytes(6).toString('hex')}`;
  const line = scriptLine({ mark, servers: serversOf(options), nodeVersion: NODE_VERSION, removal });
  return commandConnector({
    argv: [...(reached.kind === 'member' ? shellArgv(reached.member) : reached.argv), line],
    againArgv: (tookMs) => [...againTo(reached, tookMs), line],
    label: target,
    env,
    cwd,
    start,
    begin: talk({ ...options, target, mark }),
  });
}

/** Other systems have no binaries of node-pty. */
const BUILDS: readonly ServerBuild[] = ['linux', 'darwin'].flatMap((platform) =>
  ['x64', 'arm64'].map((arch) => ({ platform, arch })),
);

function serversOf({ files, version }: EngineConnectorOptions): ScriptFacts['servers'] {
  return BUILDS.map((build) => {
    const { digest } = readServerFiles(files, build);
    return { ...build, digest, folder: serverFolderName(version, { digest }, build) };
  });
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
