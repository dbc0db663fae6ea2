import assert from 'node:assert/strict';

import { Emitter } from '../../../src/core/index.js';
import type { EnvironmentChange } from '../../../src/sessions/environments/index.js';
import { type EnvironmentSnapshot, LOCAL_ID, type Session } from '../../../src/sessions/list/index.js';
import { tellOfEnvironments } from '../../../src/vscode/environments/environmentNews.js';
import type { MessageAction } from '../../../src/vscode/messages.js';

const LOST = { kind: 'lost', reason: { kind: 'ended', ended: 'the server' } } as const;

/** A session of the session server, which is lost. */
const lost = (commandLine: string, kind: 'agent' | 'user') =>
  ({
    environment: { id: LOCAL_ID, backend: { connection: LOST } },
    state: 'lost',
    request: { origin: { kind } },
    commandLine,
  }) as unknown as Session;
const own = () => lost('here', 'user');

describe('the message that the session server of this machine has ended', () => {
  const buttonsAfterLoss = (sessions: readonly Session[]) => {
    const changes = new Emitter<EnvironmentChange>();
    const buttons: string[] = [];
    tellOfEnvironments({
      environments: {
        onDidChange: changes.event,
        get: (id) => ({ id, label: 'This machine' }) as unknown as EnvironmentSnapshot,
      },
      list: { sessions },
      messages: {
        warn: (_: string, actions: readonly MessageAction[]) =>
          void buttons.push(...actions.map(({ title }) => title)),
      },
      log: { info: () => undefined },
      connect: () => Promise.resolve(),
      isOwn: ({ commandLine }) => commandLine === 'here',
    });
    changes.fire({ id: LOCAL_ID, before: { kind: 'connected' }, after: LOST });
    return buttons;
  };

  it('offers to run what was lost again, and to show what is left of it', () => {
    assert.deepEqual(buttonsAfterLoss([own(), own()]), ['Run All Again', 'Show Leftover Processes…']);
    assert.deepEqual(buttonsAfterLoss([own()]), ['Run Again', 'Show Leftover Processes…']);
  });

  it('leaves sessions of agents to their agents, and of other folders to their windows', () => {
    const others = [lost('here', 'agent'), lost('elsewhere', 'user')];
    assert.deepEqual(buttonsAfterLoss(others), ['Show Leftover Processes…']);
  });

  it('offers nothing if no session was lost', () => {
    assert.deepEqual(buttonsAfterLoss([]), []);
  });
});
