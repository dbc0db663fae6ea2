import assert from 'node:assert/strict';

import { PastSessions } from '../../../../src/agent/session/pastSessions.js';
import { type EndedReceipt, NOTHING_KEPT } from '../../../../src/core/index.js';
import { sampleReceipt } from '../../../support/sampleReceipt.js';

const HOUR_MS = 3_600_000;
const NOW = 100 * HOUR_MS;
const reader = { id: 'a', givenName: 'Codex', name: 'Codex', leftAt: undefined, nameFor: () => 'you' };

/** A receipt of an agent's session. */
function receiptOf(number: number, name: string, some: Partial<EndedReceipt> = {}): EndedReceipt {
  const end = { kind: 'exit', at: NOW - HOUR_MS, status: { exitCode: 1 } } as const;
  return { ...sampleReceipt(`r${number}`), number, origin: { kind: 'agent', name }, end, ...some };
}

describe('Sessions that no list has any more', () => {
  const receipts = [
    receiptOf(12, 'Codex', { endedBy: { kind: 'agent', name: 'Gemini' } }),
    receiptOf(13, 'Gemini', { end: { kind: 'lost', at: NOW - 60_000 } }),
    receiptOf(14, 'Codex'),
    receiptOf(16, 'Gemini', { endedBy: { kind: 'keepWithoutClient', afterSeconds: 7_200 } }),
    receiptOf(17, 'Gemini', { endedBy: { kind: 'window' } }),
    receiptOf(18, 'Gemini', {
      end: { kind: 'lost', at: NOW - 60_000 },
      window: true,
      endedBy: { kind: 'guard' },
    }),
    receiptOf(15, 'Codex', { end: { kind: 'exit', at: 0, status: { exitCode: 0 } } }),
  ];
  const past = new PastSessions(() => Promise.resolve(receipts));
  const listed = new Set([14]);

  it('are named to an agent of their name, unless they are listed or ended long ago', async () => {
    assert.deepEqual(await past.lines(reader, NOW, { listed, all: false, folder: undefined }), [
      'Ended before, output gone (1):',
      'Session 12: echo r12 | ended 1 h ago with exit 1, stopped by Gemini',
    ]);
  });

  it('say that a sandbox has refused something', async () => {
    const status = { exitCode: 1, refused: { file: '/etc/hosts' } };
    const denied = receiptOf(12, 'Codex', { end: { kind: 'exit', at: NOW - HOUR_MS, status } });
    const lines = await new PastSessions(() => Promise.resolve([denied])).lines(reader, NOW, {
      listed,
      all: false,
      folder: undefined,
    });
    assert.equal(
      lines[1],
      'Session 12: echo r12 | ended 1 h ago with exit 1, refused by the sandbox: /etc/hosts is read-only',
    );
  });

  it('are named to an agent of their name that works in their folder', async () => {
    const ofWork = receipts.map((receipt) => ({ ...receipt, folder: '/work' }));
    const inFolder = new PastSessions(() => Promise.resolve(ofWork));
    const lines = (folder: string) => inFolder.lines(reader, NOW, { listed: new Set(), all: false, folder });
    assert.deepEqual([(await lines('/work')).length > 0, await lines('/elsewhere')], [true, []]);
  });

  it('are named to everybody who asks for all', async () => {
    const lines = await past.lines(reader, NOW, { listed, all: true, folder: undefined });
    assert.deepEqual(lines.slice(2), [
      'Session 13: echo r13 | was lost about 1 m ago, when its server ended',
      'Session 16: echo r16 | ended 1 h ago with exit 1, stopped because nobody was there for 2 h',
      'Session 17: echo r17 | ended 1 h ago with exit 1, ended with its VS Code window',
      'Session 18: echo r18 | was lost about 1 m ago, when its VS Code window ended, stopped by the guard',
    ]);
  });

  it('are a few at once, whatever their number', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => receiptOf(100 + index, 'Codex'));
    const lines = await new PastSessions(() => Promise.resolve(many)).lines(reader, NOW, {
      listed,
      all: false,
      folder: undefined,
    });
    assert.equal(lines.length, 6);
    assert.equal(lines[0], 'Ended before, output gone (the last 5 of 2000):');
  });

  it('answer for their number', async () => {
    assert.equal(
      await past.textOf(12, NOW),
      '(echo r12) ended 1 h ago with exit 1, stopped by Gemini. Its output is gone: start the command again if you need it.',
    );
    assert.equal(await past.textOf(99, NOW), undefined);
    assert.equal(await past.withOutput(12, NOW), undefined);
  });

  it('say which of them have output on disk', async () => {
    const outputs = {
      names: () => Promise.resolve(new Set(['r12'])),
      read: () => Promise.resolve(NOTHING_KEPT),
      through: () => Promise.resolve(undefined),
    };
    const kept = new PastSessions(() => Promise.resolve(receipts), outputs);
    const lines = await kept.lines(reader, NOW, { listed, all: true, folder: undefined });
    assert.match(lines[0] ?? '', /^Ended before \(\d+\):$/);
    assert.deepEqual(lines.slice(1, 3), [
      'Session 12: echo r12 | ended 1 h ago with exit 1, stopped by Gemini | output on disk: read_output has it',
      'Session 13: echo r13 | was lost about 1 m ago, when its server ended | output gone',
    ]);
    assert.match(
      (await kept.textOf(12, NOW)) ?? '',
      /Its output is on disk, and only read_output can be used/,
    );
    assert.deepEqual(
      [(await kept.withOutput(12, NOW))?.commandLine, await kept.withOutput(13, NOW)],
      ['echo r12', undefined],
    );
  });

  it('are unknown, and nothing fails, where their receipts cannot be read', async () => {
    const none = new PastSessions(() => Promise.reject(new Error('no permission')));
    assert.deepEqual(await none.lines(reader, NOW, { listed, all: true, folder: undefined }), []);
    assert.equal(await none.textOf(12, NOW), undefined);
  });
});
