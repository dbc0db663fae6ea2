import assert from 'node:assert/strict';

import { useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend } = machine;

  it('are in the API, with what becomes of their sessions', async () => {
    const { api } = machine.fixture.services;
    assert.deepEqual(api.environments(), [
      { id: 'local', label: 'This machine', kind: 'local', state: 'connected' },
      { id: 'build', label: 'Build machine', kind: 'websocket', state: 'disconnected' },
    ]);
    const session = await api.start({ commandLine: 'make', environment: 'build', show: false });
    assert.equal(session.info().recovering, undefined);
    backend().loses('cut', 45_000);
    assert.equal(session.info().recovering?.reason, 'cut');
    assert.equal(api.environments()[1]?.state, 'recovering');
    backend().fails('gone');
    assert.deepEqual([session.info().state, session.info().failure], ['lost', 'gone']);
  });
});
