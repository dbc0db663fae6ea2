import assert from 'node:assert/strict';

import type { Session } from '../../../src/sessions/list/session.js';
import { ViewerSetup } from '../../support/viewerSetup.js';

describe('who controls a session', () => {
  let setup: ViewerSetup;
  let changes: number;

  beforeEach(() => {
    setup = new ViewerSetup();
    changes = 0;
  });

  const startByAgent = async (): Promise<Session> => {
    const { session } = await setup.start({ origin: { kind: 'agent', name: 'Codex' } });
    session.onDidChange(() => (changes += 1));
    return session;
  };

  it('is not set unless an agent started it', async () => {
    for (const kind of ['user', 'extension', 'other'] as const) {
      const { session } = await setup.start({ origin: { kind } });
      assert.equal(session.control, undefined);
      assert.equal(session.controlledByAgent, false);
      assert.ok(!('controller' in session.snapshot()));
    }
  });

  it('is the agent, then a person, then the agent again; each is told once', async () => {
    const session = await startByAgent();
    const { control } = session;
    assert.ok(control);
    const told: string[] = [];
    control.onDidChangeController((controller) => {
      told.push(`${controller}, shown as ${session.snapshot().controller ?? 'nobody'}`);
    });
    assert.equal(session.controlledByAgent, true);
    assert.equal(control.giveTo('agent'), false);
    assert.equal(control.giveTo('person'), true);
    assert.equal(session.controlledByAgent, false);
    assert.equal(control.giveTo('person'), false);
    assert.equal(control.giveTo('agent'), true);
    assert.deepEqual(told, ['person, shown as person', 'agent, shown as agent']);
    assert.ok(changes >= 2, 'the list draws it each time');
  });

  it('waits for a person until the last call is over', async () => {
    const session = await startByAgent();
    const first = session.control?.waitFor('secret');
    const second = session.control?.waitFor('secret');
    assert.equal(session.snapshot().waitsForPerson, 'secret');
    first?.dispose();
    assert.equal(session.snapshot().waitsForPerson, 'secret');
    second?.dispose();
    second?.dispose();
    assert.ok(!('waitsForPerson' in session.snapshot()));
    assert.ok(changes >= 2, 'the list draws it each time');
  });

  it('is not set once it has ended, and no call waits for a person', async () => {
    const session = await startByAgent();
    session.control?.waitFor('secret');
    setup.backend.processes.at(-1)?.exits(0);
    assert.equal(session.controlledByAgent, false);
    assert.ok(!('waitsForPerson' in session.snapshot()));
  });
});
