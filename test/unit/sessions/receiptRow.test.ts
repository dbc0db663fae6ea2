import assert from 'node:assert/strict';

import { type EndedReceipt, english } from '../../../src/core/index.js';
import { receiptEndText, receiptRow, receiptText } from '../../../src/sessions/words/index.js';
import { sampleReceipt } from '../../support/sampleReceipt.js';

const END = 3_600_000;
const clock = (time: number) => `[${time}]`;

function receiptOf(some: Partial<EndedReceipt> = {}): EndedReceipt {
  const end = { kind: 'exit', at: END, status: { exitCode: 0 } } as const;
  return { ...sampleReceipt('r1'), end, ...some };
}

const rowOf = (some: Partial<EndedReceipt>) => receiptRow(receiptOf(some), END + 60_000, english, clock);

describe('The row of an earlier session', () => {
  it('has the words and the icon of one that has just ended', () => {
    const row = rowOf({ title: 'build' });
    assert.deepEqual([row.label, row.icon, row.contextValue], ['build', 'check', ';receipt;']);
    const failed = rowOf({ end: { kind: 'exit', at: END, status: { exitCode: 2 } } });
    assert.match(failed.description, /^exit 2/);
    assert.equal(failed.icon, 'error');
  });

  it('is told from one that was stopped, by whomever', () => {
    const status = { exitCode: 143, signal: 'SIGTERM' };
    const end = { kind: 'exit', at: END, status } as const;
    assert.equal(rowOf({ end }).color, 'debugIcon.stopForeground');
    assert.equal(rowOf({ end, endedBy: { kind: 'person' } }).color, 'disabledForeground');
    const server = rowOf({ end, endedBy: { kind: 'server', signal: 'SIGTERM' } });
    assert.equal(server.description, 'SIGTERM, ended with the session server');
  });

  it('tells the time limit, the end of VS Code and the guard apart', () => {
    const status = { exitCode: 129, signal: 'SIGHUP' };
    const end = { kind: 'exit', at: END, status } as const;
    const descriptions = (
      [
        { end, endedBy: { kind: 'keepWithoutClient', afterSeconds: 7_200 } },
        { end, endedBy: { kind: 'window' } },
        { end: { kind: 'lost', at: END }, window: true },
        { end: { kind: 'lost', at: END }, endedBy: { kind: 'guard' }, steps: ['interrupt'] },
      ] as const
    ).map((some) => rowOf(some).description);
    assert.deepEqual(descriptions, [
      'ended 2 h after the last window · 1 m ago',
      'SIGHUP, ended with its VS Code window',
      `lost: its VS Code window ended at about [${END}]`,
      `lost: the session server ended at about [${END}], stopped by the guard (interrupt)`,
    ]);
    const limit = receiptOf({ end, endedBy: { kind: 'keepWithoutClient', afterSeconds: 120 } });
    assert.match(receiptText(limit, english, clock), /, SIGHUP, ended 2 m after the last window\n/);
  });

  it('tells the signal of an agent from its stop, also of one without a name', () => {
    const status = { exitCode: 143, signal: 'SIGTERM' };
    const end = { kind: 'exit', at: END, status } as const;
    const endings = [
      { kind: 'agent', name: 'Codex', signal: 'SIGTERM' },
      { kind: 'agent', signal: 'SIGTERM' },
      { kind: 'agent', name: 'Codex' },
      { kind: 'agent' },
    ] as const;
    assert.deepEqual(
      endings.map((endedBy) => [
        receiptEndText(receiptOf({ end, endedBy }), english, clock),
        rowOf({ end, endedBy }).description,
      ]),
      [
        ['SIGTERM, sent by Codex', 'SIGTERM · 1 m ago'],
        ['SIGTERM, sent by an agent', 'SIGTERM · 1 m ago'],
        ['SIGTERM, stopped by Codex', 'stopped · SIGTERM · 1 m ago'],
        ['SIGTERM, stopped by an agent', 'stopped · SIGTERM · 1 m ago'],
      ],
    );
  });

  it('says that a sandbox has refused something, unless it was stopped', () => {
    const sandbox = { places: [{ path: '/srv/web', access: 'write' }], network: false } as const;
    const end = { kind: 'exit', at: END, status: { exitCode: 1, refused: { file: '/etc/hosts' } } } as const;
    const refusal = 'refused by the sandbox: /etc/hosts is read-only';
    assert.equal(
      rowOf({ end, sandbox }).description,
      `exit 1 · ${refusal} · 1 m ago · sandbox: writes to web, no network`,
    );
    const text = receiptText(receiptOf({ end, sandbox }), english, clock);
    assert.match(text, /\nSandbox: writes to web, no network\n/);
    assert.ok(text.includes(`, exit 1, ${refusal}\n`), text);
    const stopped = receiptOf({ end, sandbox, endedBy: { kind: 'person' } });
    assert.equal(receiptEndText(stopped, english, clock), 'exit 1, stopped by a person');
  });

  it('says what it left then, and not that this still runs', () => {
    const left = [7, 8].map((pid) => ({ pid, startTime: `${pid}0`, command: 'sleep' }));
    const one = rowOf({ left: left.slice(0, 1) });
    assert.equal(one.description, 'exit 0 · 1 m ago · left 1 process');
    assert.match(one.accessibilityLabel, /one minute ago\. It left sleep \(pid 7\) running$/);
    assert.equal(rowOf({ left }).description, 'exit 0 · 1 m ago · left 2 processes');
  });

  it('says when it was lost', () => {
    const row = rowOf({ end: { kind: 'lost', at: END } });
    assert.equal(row.description, `lost: the session server ended at about [${END}]`);
    assert.equal(row.icon, 'debug-disconnect');
  });

  it('has all that is known as text', () => {
    const receipt = receiptOf({
      endedBy: { kind: 'agent', name: 'Codex' },
      steps: ['interrupt', 'kill'],
      left: [{ pid: 7, startTime: '70', command: 'sleep' }],
      incomplete: true,
    });
    assert.deepEqual(receiptText(receipt, english, clock).split('\n'), [
      'echo r1',
      'Command: echo r1',
      'The command is incomplete: secrets are masked, long texts are cut.',
      'Directory: /work, on here',
      'Started: [1000], by user',
      `Ended: [${END}], exit 0, stopped by Codex (interrupt, kill)`,
      'Output: 5 bytes',
      'Left running: sleep (7)',
    ]);
  });
});
