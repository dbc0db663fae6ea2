import assert from 'node:assert/strict';

import { never } from '../../../src/core/index.js';
import { SessionEvents, SessionList, type Session, WindowFolders } from '../../../src/sessions/list/index.js';
import { CallsFromElsewhere } from '../../../src/vscode/agents/callsFromElsewhere.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { params } from '../../support/startParams.js';

const LONG_MS = 60_000;

describe('The calls of agents that are elsewhere', () => {
  const setUp = async (folder: string) => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const list = new SessionList({ clock });
    const notified: { readonly session: Session; over: boolean }[] = [];
    const calls = new CallsFromElsewhere({
      events: new SessionEvents(list),
      folders: new WindowFolders(() => ['/work/web'], never),
      calls: {
        notify: (session, call) => {
          const notice = { session, over: false };
          notified.push(notice);
          call.add({ dispose: () => (notice.over = true) });
        },
      },
      clock,
    });
    const origin = { kind: 'agent', name: 'Codex' } as const;
    const process = await backend.start(params({ argv: ['x'], metadata: { folder } }));
    const request = { argv: ['x'], cwd: folder, env: {}, tty: true, origin };
    const session = list.adopt({ id: 'local', label: 'This machine', backend }, process, request);
    const asks = (wanted: 'secret' | undefined) => (session.record.waitsFor = wanted);
    return { clock, calls, list, session, notified, asks };
  };

  it('are shown once each, at once where the folder is open, and are over when the agent says so', async () => {
    const { notified, asks, session } = await setUp('/work/web');
    asks('secret');
    session.rename('Renamed');
    assert.deepEqual(
      notified.map(({ over }) => over),
      [false],
    );
    asks(undefined);
    asks('secret');
    assert.deepEqual(
      notified.map(({ over }) => over),
      [true, false],
    );
  });

  it('are shown elsewhere if nobody has answered after a while', async () => {
    const answered = await setUp('/work/api');
    answered.asks('secret');
    answered.session.control?.giveTo('person');
    answered.clock.advance(LONG_MS);
    assert.equal(answered.notified.length, 0);
    const open = await setUp('/work/api');
    open.asks('secret');
    assert.equal(open.notified.length, 0);
    open.clock.advance(LONG_MS);
    assert.equal(open.notified.length, 1);
  });

  it('are not shown for what this window calls for itself, nor after its end', async () => {
    const { notified, session, calls, asks } = await setUp('/work/web');
    session.control?.waitFor('secret').dispose();
    assert.equal(notified.length, 0);
    calls.dispose();
    asks('secret');
    assert.equal(notified.length, 0);
  });
});
