import assert from 'node:assert/strict';

import type { EndedReceipt } from '../../../src/core/index.js';
import type { Leftover } from '../../../src/machine/index.js';
import type { Session } from '../../../src/sessions/list/index.js';
import { LostServer } from '../../../src/vscode/environments/lostServer.js';
import type { MessageAction } from '../../../src/vscode/messages.js';
import { FakeClock } from '../../support/fakeClock.js';
import { settle } from '../../support/settle.js';

/** A process that a session has left running: the session has this id, or has left no receipt. */
const left = (pid: number, sessionId?: string): Leftover => ({
  pid,
  startTime: '1',
  command: 'sleep 1000',
  startedAt: 1,
  receipt: sessionId === undefined ? undefined : ({ sessionId } as EndedReceipt),
});

const LOST = [{ id: 'lost' }] as unknown as readonly Session[];

describe('a look for what is left of sessions whose server has ended', () => {
  const setup = (leftovers: () => Promise<readonly Leftover[]>) => {
    const clock = new FakeClock();
    const warnings: { readonly text: string; readonly actions: readonly string[] }[] = [];
    const logged: string[] = [];
    const lostServer = new LostServer({
      clock,
      messages: {
        warn: (text: string, actions: readonly MessageAction[]) =>
          void warnings.push({ text, actions: actions.map(({ title }) => title) }),
      },
      log: { warn: (line) => void logged.push(line) },
      leftovers,
    });
    const pass = async (ms: number) => {
      clock.advance(ms);
      await settle();
    };
    return { clock, warnings, logged, lostServer, pass };
  };

  it('waits for the guard, and names what the lost ones have left, or nobody knows who', async () => {
    const { warnings, lostServer, pass } = setup(() =>
      Promise.resolve([left(11, 'lost'), left(12, 'of another window'), left(13)]),
    );
    lostServer.lookLater(LOST);
    await pass(4_999);
    assert.equal(warnings.length, 0);
    await pass(1);
    assert.equal(warnings.length, 1);
    assert.deepEqual(warnings[0]?.text.match(/pid \d+/g), ['pid 11', 'pid 13']);
    assert.deepEqual(warnings[0].actions, ['Show Leftover Processes…']);
  });

  it('says nothing if nothing is left, and only logs that it failed', async () => {
    const none = setup(() => Promise.resolve([left(12, 'of another window')]));
    none.lostServer.lookLater(LOST);
    await none.pass(5_000);
    assert.deepEqual([none.warnings, none.logged], [[], []]);
    const failing = setup(() => Promise.reject(new Error('no /proc')));
    failing.lostServer.lookLater(LOST);
    await failing.pass(5_000);
    assert.deepEqual(failing.warnings, []);
    assert.deepEqual(failing.logged, ['Leftover processes of the session server cannot be found: no /proc']);
  });

  it('is not made any more once the window ends', async () => {
    const { clock, warnings, lostServer, pass } = setup(() => Promise.resolve([left(11, 'lost')]));
    lostServer.lookLater(LOST);
    lostServer.dispose();
    await pass(5_000);
    assert.deepEqual([clock.pendingTimers, warnings], [0, []]);
  });
});
