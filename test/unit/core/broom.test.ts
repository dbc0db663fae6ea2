import assert from 'node:assert/strict';

import { type BroomFilter, forgottenOf, isMeant, type Sighting } from '../../../src/core/index.js';

const NOW = 10_000_000;

function sighting(some: Partial<Sighting> = {}): Sighting {
  return {
    ...{
      pid: 4711,
      startTime: '1',
      sid: 4711,
      kind: 'command',
      handedOver: false,
      command: 'node server.js',
    },
    ...{
      cwd: '/home/me/app',
      startedAt: NOW - 7_200_000,
      processes: 2,
      memoryBytes: 5_000_000,
      ports: [3_000],
    },
    owner: { agents: ['claude'], conversation: 'c1', claimed: false },
    ...{ detached: false, shared: false },
    ...some,
  };
}

const owned = { agents: ['claude'], claimed: false };

describe('The broom', () => {
  it('takes what has outlived its agent', () => {
    const taken = (some: Partial<Sighting>) => forgottenOf([sighting(some)]).length === 1;
    assert.deepEqual([taken({}), taken({ kind: 'helper' })], [true, true]);
    assert.deepEqual(
      [
        taken({ owner: { ...owned, pid: 17 } }),
        taken({ owner: undefined }),
        taken({ kind: 'agent' }),
        taken({ kind: 'job', owner: undefined }),
        taken({ end: { at: NOW } }),
      ],
      [false, false, false, false, false],
    );
  });

  it('spares what a mark alone names, what is shared, and what has detached itself', () => {
    const spared = (some: Partial<Sighting>) => forgottenOf([sighting(some)])[0]?.spared;
    assert.deepEqual(
      [
        spared({}),
        spared({ owner: { agents: ['claude', 'codex'], claimed: true }, detached: true }),
        spared({ shared: true, detached: true }),
        spared({ detached: true }),
      ],
      [undefined, 'claimed', 'shared', 'detached'],
    );
  });

  it('goes by agent, conversation, age, memory, folder and port', () => {
    const [one] = forgottenOf([sighting()]);
    assert(one);
    const meant = (filter: BroomFilter) => isMeant(one, filter, NOW);
    const fitting: readonly BroomFilter[] = [
      {},
      ...[
        { agent: 'claude' },
        { conversation: 'c1' },
        { older: 7_200_000 },
        { memory: 5_000_000 },
        { port: 3_000 },
      ],
      ...['/home/me/app', '/home/me', '/home/me/', '/'].map((folder) => ({ folder })),
    ];
    assert.deepEqual(
      fitting.filter((filter) => !meant(filter)),
      [],
    );
    const others: readonly BroomFilter[] = [
      ...[
        { agent: 'codex' },
        { conversation: 'c' },
        { older: 7_200_001 },
        { memory: 5_000_001 },
        { port: 300 },
      ],
      ...['/home/me/ap', '/home/me/app/x', '/home/you'].map((folder) => ({ folder })),
      { agent: 'claude', port: 1 },
    ];
    assert.deepEqual(others.filter(meant), []);
  });

  it('goes by nothing that it does not know', () => {
    const unknown = { cwd: undefined, startedAt: undefined, memoryBytes: undefined, ports: undefined };
    const [one] = forgottenOf([sighting({ owner: owned, ...unknown })]);
    assert(one);
    const filters = [{ conversation: '' }, { older: 1 }, { memory: 1 }, { folder: '/home' }, { port: 3_000 }];
    assert.deepEqual(
      filters.filter((filter) => isMeant(one, filter, NOW)),
      [],
    );
  });

  it('knows agents by the names that they give themselves', () => {
    const [one] = forgottenOf([sighting()]);
    assert(one);
    for (const name of ['claude-code', 'Claude Code', 'Claude code']) {
      assert(isMeant({ ...one, agents: ['x', name] }, { agent: 'claude' }, NOW));
    }
  });
});
