import assert from 'node:assert/strict';

import { Emitter } from '../../../src/core/index.js';
import type { EnvironmentChange } from '../../../src/sessions/environments/index.js';
import { type EnvironmentSnapshot, LOCAL_ID, type Session } from '../../../src/sessions/list/index.js';
import { tellOfEnvironments } from '../../../src/vscode/environments/environmentNews.js';
import type { MessageAction } from '../../../src/vscode/messages.js';

const LOST = { kind: 'lost', reason: { kind: 'ended', ended: 'the server' } } as const;

/** A session of the session server, which is lost. */
const session = {
  environment: { id: LOCAL_ID, backend: { connection: LOST } },
  state: 'lost',
} as unknown as Session;

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
    });
    changes.fire({ id: LOCAL_ID, before: { kind: 'connected' }, after: LOST });
    return buttons;
  };

  it('offers to show leftover processes if sessions were lost with it', () => {
    assert.deepEqual(buttonsAfterLoss([session]), ['Show Leftover Processes…']);
  });

  it('offers nothing if no session was lost', () => {
    assert.deepEqual(buttonsAfterLoss([]), []);
  });
});
