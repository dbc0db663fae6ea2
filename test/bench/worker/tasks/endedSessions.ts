import { LocalBackend } from '../../../../src/local/index.js';
import { SessionList } from '../../../../src/sessions/list/sessionList.js';
import { childEnv } from '../driver.js';
import { memory } from '../memory.js';

export interface EndedSessions {
  readonly args: { readonly count: number };
  /** Bytes of memory for each session, without its retained output. */
  readonly result: number;
}

/** How many run at a time. */
const BATCH = 20;

/** Fills a list with sessions that have ended, half of them in terminals. */
export async function endedSessions({ count }: EndedSessions['args']): Promise<EndedSessions['result']> {
  const backend = new LocalBackend();
  const environment = { id: 'local', label: 'This machine', backend };
  const unlimited = { endedSessions: Number.POSITIVE_INFINITY, outputBytes: Number.POSITIVE_INFINITY };
  const list = new SessionList({ limits: () => unlimited });
  const run = async (index: number): Promise<void> => {
    const session = await list.start(environment, {
      argv: ['/bin/echo', `session ${index}`],
      cwd: '/',
      env: childEnv,
      tty: index % 2 === 0,
      origin: { kind: 'user' },
    });
    while (session.state !== 'closed') {
      await new Promise<void>((resolve) => {
        const subscription = session.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  };
  const runAll = async (from: number, to: number): Promise<void> => {
    for (let first = from; first < to; first += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, to - first) }, (_, index) => run(first + index));
      await Promise.all(batch);
    }
  };
  // Code that is loaded and compiled with the first sessions does not count as theirs.
  await runAll(0, BATCH);
  const before = await memory();
  await runAll(BATCH, BATCH + count);
  const retained = list.sessions
    .slice(BATCH)
    .reduce((sum, session) => sum + session.process.info().output.retainedBytes, 0);
  const bytes = ((await memory()) - before - retained) / count;
  list.dispose();
  await backend.shutdown();
  return bytes;
}
