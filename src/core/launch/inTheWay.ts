import { portsToBe } from '../busyPort.js';
import { metadataIn } from '../metadata.js';
import type { ExecBackend, ExecProcess, ProcessInfo } from '../process/execBackend.js';
import type { PortListener } from '../process/processUsage.js';
import { quoteCommandLine } from './command.js';
import { commandLineOf, type LaunchRequest } from './launch.js';
import type { VariableChanges } from './variables.js';

/** A program that does already what a start is for (`same`), or that has a port which the start names. */
export interface InTheWay {
  readonly same: boolean;
  /** The port at which it listens. The same command may be about to listen there. */
  readonly port: number;
  /** Its process of the backend, if one is known. */
  readonly info?: ProcessInfo | undefined;
  readonly listener?: PortListener | undefined;
}

/** Looks at a start right before it is made. A rejection prevents it. */
export type BeforeStart = (request: LaunchRequest, backend: ExecBackend) => Promise<void>;

/**
 * Finds a program in the way of a start. The machine is asked only about commands that may be servers. Never rejects:
 * what cannot be found out counts as absent.
 *
 * @param changes The variables that the starter sets. With other values the same command is another one.
 */
export async function inTheWay(
  request: LaunchRequest,
  changes: VariableChanges,
  backend: ExecBackend,
): Promise<InTheWay | undefined> {
  const wanted = request.sandbox?.network === false ? undefined : portsToBe(request.argv);
  const infos = wanted === undefined ? [] : await backend.list().catch(() => []);
  const look = async <T>({ processId }: ProcessInfo, use: (process: ExecProcess) => Promise<T>) => {
    const process = await backend.attach(processId);
    return use(process).finally(() => process.release());
  };
  for (const info of infos.filter((one) => isSame(one, request))) {
    const usage = await look(info, async (process) => {
      const { env } = await process.startedWith().catch(() => request);
      const isOther = ['PORT', ...Object.keys(changes)].some((name) => env[name] !== request.env[name]);
      return isOther ? undefined : process.usage();
    }).catch(() => undefined);
    const port = usage && (usage.ports?.[0]?.port ?? wanted?.[0]);
    if (port !== undefined) {
      return { same: true, port, info };
    }
  }
  for (const port of wanted ?? []) {
    if (await backend.isListening(port).catch(() => false)) {
      // A machine names listeners only from the view of a process.
      const looks = infos.slice(0, 1).map((any) => look(any, (process) => process.listeners(port)));
      const listener = (await Promise.all(looks).catch(() => []))[0]?.[0];
      const info = listener && infos.find(({ processId }) => processId === listener.processId);
      return { same: false, port, info, listener };
    }
  }
  return undefined;
}

function isSame({ metadata, argv, cwd, state }: ProcessInfo, request: LaunchRequest): boolean {
  const commandLine = metadataIn(metadata, 'commandLine') ?? quoteCommandLine(argv);
  return state === 'running' && cwd === request.cwd && commandLine === commandLineOf(request);
}
