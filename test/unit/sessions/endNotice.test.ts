import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { formatDuration } from '../../../src/sessions/words/duration.js';
import { endNotice, gapNotice, noticeLine, openNotice } from '../../../src/sessions/viewer/endNotice.js';
import type { SessionSnapshot } from '../../../src/sessions/list/session.js';

/** A session whose connection ended with these words. */
const lostBy = (ended: string) => ({ kind: 'disconnected', reason: { kind: 'ended', ended } }) as const;

function snapshot(changes: Partial<SessionSnapshot>): SessionSnapshot {
  return {
    id: 'id',
    environment: { id: 'local', label: 'Local' },
    commandLine: 'npm test',
    argv: ['npm', 'test'],
    cwd: '/',
    tty: true,
    pipeStdin: false,
    origin: { kind: 'user' },
    state: 'closed',
    stopping: false,
    startedAt: 1_000,
    exitedAt: 121_000,
    output: {
      bytes: 0,
      chunks: 0,
      retainedBytes: 0,
      evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
      missing: { chunks: 0, bytes: 0 },
      lastSeq: 0,
    },
    ...changes,
  };
}

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
