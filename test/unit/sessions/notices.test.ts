import assert from 'node:assert/strict';

import { DEFAULT_TERMINAL_SIZE, english } from '../../../src/core/index.js';
import { formatDuration } from '../../../src/sessions/words/quantities.js';
import { endNotice, gapNotice, noticeLine, openNotice } from '../../../src/sessions/viewer/notices.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { BASE_SERVER } from '../../support/scriptedBackend.js';
import { turn, ViewerSetup } from '../../support/viewerSetup.js';
import { snapshot as running } from './snapshots.js';

/** A session whose connection ended with these words. */
const lostBy = (ended: string) => ({ kind: 'disconnected', reason: { kind: 'ended', ended } }) as const;

/** A session that ended after two minutes. */
const snapshot = (changes: Partial<SessionSnapshot>) =>
  running({ state: 'closed', startedAt: 1_000, exitedAt: 121_000, ...changes });

describe('what a terminal says about its session', () => {
  it('says how it ended, and what can be done', () => {
    const keys = 'press R to run again, Enter to close';
    assert.equal(
      endNotice(snapshot({ exit: { exitCode: 1 } }), english),
      `exited with code 1 after 2 m; ${keys}`,
    );
    assert.equal(
      endNotice(snapshot({ exit: { exitCode: 143, signal: 'SIGTERM' } }), english),
      `ended by SIGTERM after 2 m; ${keys}`,
    );
    assert.equal(
      endNotice(snapshot({ state: 'lost', failure: lostBy('the cable was cut') }), english),
      `lost: the cable was cut; ${keys}`,
    );
  });

  it('says how it ended also if the rest of its output was lost', () => {
    const keys = 'press R to run again, Enter to close';
    const lost = snapshot({ state: 'lost', failure: lostBy('the cable was cut') });
    assert.equal(
      endNotice({ ...lost, exit: { exitCode: 1 } }, english),
      `exited with code 1 after 2 m, but the rest of its output was lost: the cable was cut; ${keys}`,
    );
    assert.equal(
      endNotice({ ...lost, exit: { exitCode: 143, signal: 'SIGTERM' } }, english),
      `ended by SIGTERM after 2 m, but the rest of its output was lost: the cable was cut; ${keys}`,
    );
  });

  it('says that the output is still open', () => {
    assert.equal(
      openNotice(snapshot({ state: 'exited', exit: { exitCode: 0 } }), english),
      'exited with code 0; its output is still open (something it started still runs)',
    );
  });

  it('says what is missing', () => {
    const gap = { type: 'gap', fromSeq: 1, throughSeq: 9, chunks: 9, bytes: 3_355_443 } as const;
    assert.equal(gapNotice(gap, english), '… 3.2 MiB of older output is no longer kept …');
    assert.equal(
      gapNotice({ ...gap, fromSeq: 5 }, english),
      '… 3.2 MiB of output is missing here: more came than could be kept for it …',
    );
    const unknown = { type: 'gap', fromSeq: 5, throughSeq: 9, chunks: 5 } as const;
    assert.equal(gapNotice(unknown, english), '… some output is missing here …');
    assert.equal(gapNotice({ ...unknown, fromSeq: 1 }, english), '… older output is no longer kept …');
  });

  it('keeps to one dim line whatever the text', () => {
    assert.equal(noticeLine('a\r\n\u001b[31mb'), '\r\n\u001b[90ma [31mb\u001b[0m\r\n');
  });

  it('says how long in few letters', () => {
    const texts = [0, 3_999, 59_999, 120_000, 125_000, 3_905_000].map((ms) => formatDuration(ms, english));
    assert.deepEqual(texts, ['less than 1 s', '3 s', '59 s', '2 m', '2 m 5 s', '1 h 5 m']);
  });
});

describe('a terminal on another machine', () => {
  const LOST = /connection to Local lost, trying for 45 s more; what you type waits/;
  const BACK = /connection to Local is back/;

  it('says that the connection was lost, and that it is back', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    const { seen } = await setup.view(session);
    setup.backend.loses('cut', 45_000);
    assert.match(seen.text, LOST);
    assert.doesNotMatch(seen.text, BACK);
    seen.text = '';
    setup.backend.loses('cut', 44_000);
    assert.equal(seen.text, '', 'once');
    setup.backend.recovers();
    assert.match(seen.text, BACK);
    process.prints('more');
    assert.ok(seen.text.endsWith('more'));
  });

  it('says so when it is opened meanwhile', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    process.prints('before');
    setup.backend.loses('cut', 45_000);
    const { seen } = await setup.view(session);
    assert.match(seen.text, LOST);
    assert.ok(seen.text.includes('before'));
  });

  it('says at the end why the session was lost, and nothing after that', async () => {
    const setup = new ViewerSetup();
    const { session } = await setup.start();
    const { seen } = await setup.view(session);
    setup.backend.loses('cut', 45_000);
    setup.backend.fails('cut for too long');
    assert.match(seen.text, /lost: cut for too long; press R to run again/);
    assert.doesNotMatch(seen.text, BACK);
    seen.text = '';
    setup.backend.recovers();
    assert.equal(seen.text, '');
  });

  it('says nothing about a connection that a closed session does not need', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    const { seen } = await setup.view(session);
    process.ends(0);
    await turn();
    seen.text = '';
    setup.backend.loses('cut', 45_000);
    setup.backend.recovers();
    assert.equal(seen.text, '');
  });

  it('says where output is missing that never came here, of whatever size', async () => {
    const setup = new ViewerSetup();
    const { session, process } = await setup.start();
    process.prints('before');
    const { seen } = await setup.view(session);
    process.log.appendMissing(5);
    process.log.appendMissing(9, 2048);
    process.prints('after');
    assert.match(
      seen.text,
      /^before[^]*… some output is missing here …[^]*… 2\.0 KiB of output is missing here: more came than could be kept for it …[^]*after$/,
    );
    assert.deepEqual(session.snapshot().output.missing, { chunks: 8, bytes: 2048 });
  });

  it('has the size that its program knows if that cannot be changed, and says so once', async () => {
    const setup = new ViewerSetup(BASE_SERVER);
    const { session } = await setup.start();
    const first = await setup.view(session);
    assert.deepEqual(first.seen.fixed, DEFAULT_TERMINAL_SIZE);
    assert.match(
      first.seen.text,
      /terminals on Local cannot be resized: programs there see 80 columns and 24 rows/,
    );
    const second = await setup.view(session);
    assert.deepEqual(second.seen.fixed, DEFAULT_TERMINAL_SIZE);
    assert.doesNotMatch(second.seen.text, /cannot be resized/);
    const pipes = await setup.start({ tty: false });
    const third = await setup.view(pipes.session);
    assert.equal(third.seen.fixed, undefined, 'without a terminal there is no size');
  });

  it('is not drawn in a size that no terminal has, whatever a server says', async () => {
    const setup = new ViewerSetup(BASE_SERVER);
    for (const size of [
      { columns: 1e9, rows: 1e9 },
      { columns: 0, rows: 24 },
      { columns: 80.5, rows: 24 },
    ]) {
      const { session } = await setup.start({ size });
      assert.deepEqual((await setup.view(session)).seen.fixed, DEFAULT_TERMINAL_SIZE);
    }
  });

  it('ends its input with a key where the server cannot', async () => {
    const setup = new ViewerSetup(BASE_SERVER);
    const { session, process } = await setup.start();
    await session.closeInput();
    assert.equal(process.input, '\u0004');
    assert.equal(session.snapshot().inputClosed, undefined);
  });
});
