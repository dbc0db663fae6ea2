import assert from 'node:assert/strict';

import { endedByAgentsSignal, endedByPersonsSignal, signalledByPerson } from '../../../../src/core/index.js';

describe('The signal of a person', () => {
  const metadata = signalledByPerson('SIGINT', 1_000);
  const bySignal = { exitCode: 130, signal: 'SIGINT' };

  it('has ended a process that ends by it, or with its number as shells do', () => {
    for (const exit of [bySignal, { exitCode: 130 }]) {
      assert.equal(endedByPersonsSignal({ metadata, exit, exitedAt: 61_000 }), true);
    }
    const killed = signalledByPerson('SIGKILL', 1_000);
    assert.equal(endedByPersonsSignal({ metadata: killed, exit: { exitCode: 137 }, exitedAt: 1_000 }), true);
  });

  it('is Ctrl-C on Windows, which has an exit code of its own', () => {
    for (const exitCode of [3_221_225_786, -1_073_741_510]) {
      assert.equal(endedByPersonsSignal({ metadata, exit: { exitCode }, exitedAt: 2_000 }), true);
      const other = signalledByPerson('SIGTERM', 1_000);
      assert.equal(endedByPersonsSignal({ metadata: other, exit: { exitCode }, exitedAt: 2_000 }), false);
      assert.equal(endedByPersonsSignal({ metadata: {}, exit: { exitCode }, exitedAt: 2_000 }), false);
    }
  });

  it('has not ended one that has lived through it, or ends in another way', () => {
    for (const exit of [
      { exitCode: 0 },
      { exitCode: 2 },
      { exitCode: 143 },
      { exitCode: 143, signal: 'SIGTERM' },
    ]) {
      assert.equal(endedByPersonsSignal({ metadata, exit, exitedAt: 2_000 }), false, JSON.stringify(exit));
    }
    assert.equal(
      endedByPersonsSignal({ metadata, exit: { exitCode: 130, signal: 'SIGTERM' }, exitedAt: 2_000 }),
      false,
    );
    assert.equal(endedByPersonsSignal({ metadata, exit: bySignal, exitedAt: 61_001 }), false);
    assert.equal(endedByPersonsSignal({ metadata }), false);
  });

  it('is not a signal of an agent, or an invented one', () => {
    for (const signalledBy of [
      { signal: 'SIGINT', name: 'Codex' },
      { kind: 'agent', signal: 'SIGINT', at: 1_000 },
      { kind: 'person', at: 1_000 },
      { kind: 'person', signal: 'SIGINT' },
      { kind: 'person', signal: 'constructor', at: 1_000 },
      'SIGINT',
      null,
    ]) {
      const exit = { exitCode: 130, signal: 'SIGINT' };
      assert.equal(endedByPersonsSignal({ metadata: { signalledBy }, exit, exitedAt: 1_000 }), false);
    }
  });
});

describe('The signal of an agent', () => {
  const metadata = { signalledBy: { kind: 'agent', signal: 'SIGINT', name: 'Codex' } };

  it('has ended what ends by it, and nothing else', () => {
    assert.equal(endedByAgentsSignal({ metadata, exit: { exitCode: 130, signal: 'SIGINT' } }), true);
    for (const exit of [undefined, { exitCode: 130 }, { exitCode: 143, signal: 'SIGTERM' }]) {
      assert.equal(endedByAgentsSignal({ metadata, exit }), false);
    }
  });

  it('is not a signal of a person, or of an unknown agent', () => {
    const exit = { exitCode: 130, signal: 'SIGINT' };
    for (const other of [{}, { signalledBy: null }, signalledByPerson('SIGINT', 1_000)]) {
      assert.equal(endedByAgentsSignal({ metadata: other, exit }), false);
    }
  });
});
