import type { OpenPlace } from './openPlace.js';
import { version } from '../../../package.json';
import { delay, type ExecBackend, messageOf, systemClock } from '../../core/index.js';
import type { Machine } from '../../machine/index.js';
import type { RemoteBackend } from '../../remote/index.js';
import { LastingBackend } from './lastingBackend.js';
import { OlderServers } from './olderServers.js';

/** How long the end waits for the server to have heard everything that was said, in milliseconds. */
const LAST_WORDS_MS = 500;

/**
 * This machine through its session server, which is started if none runs. Windows of VS Code show its sessions, and
 * they go on without this program. Where the server cannot be had, commands run in this program, as with `--alone`.
 *
 * @param alone Opens the place that takes over then.
 */
export async function machinePlace(
  alone: () => Promise<OpenPlace>,
  log: (line: string) => void,
): Promise<OpenPlace> {
  const machine = await import('../../machine/index.js');
  const over = new AbortController();
  const options = {
    version,
    files: __dirname,
    env: process.env,
    clock: systemClock,
    log,
    signal: over.signal,
  };
  let own: string | undefined;
  const backendOf = (found: Machine): RemoteBackend => {
    own = found.socket;
    return found.backend;
  };
  const server = new LastingBackend(async () => {
    const started = await machine.connectMachine({ ...options, start: true });
    if (started === undefined) {
      throw new Error('There is no session server.');
    }
    return backendOf(started);
  }, over.signal);
  const look = async () => {
    const found = await machine.connectMachine({ ...options, start: false });
    return found && backendOf(found);
  };
  const older = new OlderServers(machine, options);
  let instead: Promise<OpenPlace> | undefined;
  let notice: string | undefined;
  return {
    label: 'this machine',
    get notice() {
      return notice;
    },
    isShared: () => instead === undefined,
    others: async () => {
      if (instead !== undefined) {
        return [];
      }
      const mine = await server.last(look);
      return [...(mine === undefined ? [] : [mine]), ...(await older.backends(own))];
    },
    backend: async () => {
      if (instead === undefined) {
        try {
          return await server.backend();
        } catch (error) {
          over.signal.throwIfAborted();
          notice ??= noticeOf(error);
          log(notice);
          instead ??= alone();
        }
      }
      return (await instead).backend();
    },
    close: async (stop) => {
      over.abort();
      await (await instead)?.close(stop);
      const mine = await server.last();
      await Promise.all([...(mine === undefined ? [] : [mine]), ...older.connected].map(leave));
    },
  };
}

/** Leaves a server once it has received all messages: it reads in order, and answers the last one. */
async function leave(backend: RemoteBackend): Promise<void> {
  await Promise.race([hasHeardAll(backend), delay(systemClock, LAST_WORDS_MS)]);
  backend.disconnect();
}

async function hasHeardAll(backend: ExecBackend): Promise<void> {
  await backend.list().catch(() => []);
}

function noticeOf(error: unknown): string {
  return `Sessions end with this program, and no window of VS Code shows them: ${messageOf(error)}`;
}
