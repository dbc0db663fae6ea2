import { version } from '../../../package.json';
import { delay, type ExecBackend, messageOf, systemClock } from '../../core/index.js';
import { lastingBackend } from './lastingBackend.js';
import type { OpenPlace } from './mcpPlace.js';

/** How long the end waits for the server to have heard everything that was said, in milliseconds. */
const LAST_WORDS_MS = 500;

/**
 * This machine through its session server, which is started if there is none: windows of VS Code show what runs there,
 * and it goes on without this program. Where the server cannot be had, commands run in this program, as with `--alone`.
 *
 * @param alone Opens the place that takes over then.
 */
export async function machinePlace(
  alone: () => Promise<OpenPlace>,
  log: (line: string) => void,
): Promise<OpenPlace> {
  const { connectMachine } = await import('../../machine/index.js');
  const over = new AbortController();
  const server = lastingBackend(async () => {
    const machine = await connectMachine({
      version,
      files: __dirname,
      env: process.env,
      clock: systemClock,
      log,
      signal: over.signal,
      start: true,
    });
    if (machine === undefined) {
      throw new Error('There is no session server.');
    }
    return machine.backend;
  }, over.signal);
  let instead: Promise<OpenPlace> | undefined;
  let notice: string | undefined;
  return {
    label: 'this machine',
    get notice() {
      return notice;
    },
    isShared: () => instead === undefined,
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
    close: async (options) => {
      over.abort();
      await (await instead)?.close(options);
      const backend = await server.last();
      if (backend !== undefined) {
        await hasHeardAll(backend);
        backend.disconnect();
      }
    },
  };
}

/** Resolves when the server has all that was sent: it reads in order, and answers what comes last. */
async function hasHeardAll(backend: ExecBackend): Promise<void> {
  await Promise.race([backend.list().catch(() => []), delay(systemClock, LAST_WORDS_MS)]);
}

function noticeOf(error: unknown): string {
  return `Sessions end with this program, and no window of VS Code shows them: ${messageOf(error)}`;
}
