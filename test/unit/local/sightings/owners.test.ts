import assert from 'node:assert/strict';

import { type Belonging, Owners, type OwnerFacts } from '../../../../src/local/sightings/owners.js';
import { Random } from '../../../support/random.js';

/** A process of a test; one without a parent is a child of the first process of the machine. */
function process(pid: number, some: Partial<OwnerFacts> = {}): OwnerFacts {
  return {
    ...{ pid, ppid: 1, startTime: String(pid), agent: undefined },
    ...{ isBorder: pid === 1, isOurs: false, marks: [] },
    ...some,
  };
}

function ownersOf(...all: readonly OwnerFacts[]): (pid: number) => Belonging | 'ours' | undefined {
  const facts = new Map([process(1), ...all].map((one) => [one.pid, one]));
  const owners = new Owners(facts);
  return (pid) => owners.of(facts.get(pid) ?? assert.fail());
}

const claude = (pid: number, ppid = 1) => process(pid, { ppid, agent: 'claude' });
const codex = (pid: number, ppid = 1) => process(pid, { ppid, agent: 'codex' });
const mark = (agent: string, value: string) => ({ marks: [{ agent, value }] });
const below = (agent: string, pid: number) => ({
  ...{ agents: [agent], process: { pid, startTime: String(pid) } },
  isDetached: false,
});
const claimed = (...agents: readonly string[]) => ({ agents, isDetached: true });

describe('The owner of a process', () => {
  it('is the agent above it', () => {
    const owner = ownersOf(claude(10), process(11, { ppid: 10 }), process(12, { ppid: 11 }), process(13));
    assert.deepEqual([11, 12, 13].map(owner), [below('claude', 10), below('claude', 10), undefined]);
  });

  it('is the nearest of two agents, and the first of an agent that starts itself again', () => {
    const owner = ownersOf(
      ...[claude(10), process(11, { ppid: 10 }), codex(12, 11), codex(13, 12)],
      ...[process(14, { ppid: 13, ...mark('claude', 'a') })],
    );
    assert.deepEqual([12, 13, 14].map(owner), [below('claude', 10), below('claude', 10), below('codex', 12)]);
  });

  it('is remembered once the agent has gone, also by new children', () => {
    const remembered = below('claude', 10);
    const owner = ownersOf(process(11, { remembered }), process(12, { ppid: 11 }));
    assert.deepEqual([11, 12].map(owner), [remembered, remembered]);
  });

  it('has been left by a process that is elsewhere while the agent lives', () => {
    const remembered = below('claude', 10);
    const owner = ownersOf(claude(10), process(11, { remembered }));
    assert.deepEqual(owner(11), { ...remembered, isDetached: true });
    // The number belongs to another process by now.
    const reused = ownersOf({ ...claude(10), startTime: '5' }, process(11, { remembered }));
    assert.deepEqual(reused(11), remembered);
  });

  it('is claimed by a mark alone, by two marks for both agents', () => {
    const owner = ownersOf(
      process(10, mark('gemini', '1')),
      process(11, { ppid: 10 }),
      process(12, { marks: [...mark('claude', 'a').marks, ...mark('codex', 'b').marks] }),
    );
    assert.deepEqual([10, 11, 12].map(owner), [
      claimed('gemini'),
      claimed('gemini'),
      claimed('claude', 'codex'),
    ]);
  });

  it('is certain rather than claimed', () => {
    const remembered = below('codex', 9);
    const owner = ownersOf(process(10, mark('claude', 'a')), process(11, { ppid: 10, remembered }));
    assert.deepEqual(owner(11), remembered);
  });

  it('is unknown below a border', () => {
    const tmux = { isBorder: true, ...mark('claude', 'a') };
    const owner = ownersOf(
      ...[claude(10), process(11, { ppid: 10, ...tmux }), process(12, tmux)],
      ...[11, 12].map((ppid) => process(ppid + 10, { ppid, ...mark('claude', 'a') })),
      process(31, { ppid: 21, ...mark('claude', 'a') }),
      process(32, { ppid: 22, ...mark('claude', 'another') }),
    );
    // The servers themselves have an owner.
    assert.deepEqual([11, 12].map(owner), [below('claude', 10), claimed('claude')]);
    assert.deepEqual([21, 22, 31].map(owner), [undefined, undefined, undefined]);
    assert.deepEqual(owner(32), claimed('claude'));
  });

  it('is this program for everything in its sessions, agents too', () => {
    const owner = ownersOf(process(10, { isOurs: true }), claude(11, 10), process(12, { ppid: 11 }));
    assert.deepEqual([10, 11, 12].map(owner), ['ours', 'ours', 'ours']);
  });

  it('is not a process that has got the number of the parent', () => {
    const owner = ownersOf({ ...claude(10), startTime: '99' }, process(11, { ppid: 10 }));
    assert.equal(owner(11), undefined);
  });

  it('is found in a tree of many levels', () => {
    const levels = Array.from({ length: 5_000 }, (_, index) => process(11 + index, { ppid: 10 + index }));
    const owner = ownersOf(claude(10), ...levels);
    assert.deepEqual(owner(5_010), below('claude', 10));
  });

  it('is never a wrong one in random trees @property', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      checkTree(new Random(seed), `seed ${seed}`);
    }
  });
});

/** Lets a tree of agents, commands and a person's processes grow and die, looks at it all the while, and compares. */
function checkTree(random: Random, name: string): void {
  const all = new Map<number, OwnerFacts>([[1, process(1)]]);
  const truth = new Map<number, OwnerFacts | undefined>();
  let next = 2;
  for (let step = 0; step < 60; step += 1) {
    const living = [...all.values()];
    const parent = living[random.between(0, living.length - 1)] ?? assert.fail();
    const agent = random.next() < 0.15 ? random.of(['claude', 'codex', 'gemini']) : undefined;
    const isBorder = agent === undefined && random.next() < 0.1;
    const owner = parent.isBorder ? undefined : parent.agent === undefined ? truth.get(parent.pid) : parent;
    // An agent that starts itself is not another agent.
    const again = agent !== undefined && agent === parent.agent;
    const inherited =
      parent.agent === undefined ? parent.marks : mark(parent.agent, `of ${parent.pid}`).marks;
    // A few wipe their environment.
    const marks = random.next() < 0.1 ? [] : inherited;
    if (!again) {
      all.set(next, process(next, { ppid: parent.pid, agent, isBorder, marks }));
      truth.set(next, owner);
      next += 1;
    }
    if (random.next() < 0.3) {
      const dying = [...all.keys()].filter((pid) => pid !== 1);
      const pid = dying[random.between(0, dying.length - 1)];
      all.delete(pid ?? 0);
      // Its children go to the first process.
      for (const [child, facts] of all) {
        if (facts.ppid === pid) {
          all.set(child, { ...facts, ppid: 1 });
        }
      }
    }
    if (random.next() < 0.5) {
      look(all, truth, `${name}, step ${step}`);
    }
  }
}

function look(
  all: Map<number, OwnerFacts>,
  truth: ReadonlyMap<number, OwnerFacts | undefined>,
  name: string,
): void {
  const owners = new Owners(all);
  for (const [pid, facts] of all) {
    const found = owners.of(facts);
    assert.notEqual(found, 'ours');
    if (found !== undefined && found !== 'ours') {
      // A mark alone is a claim.
      if (found.process !== undefined) {
        assert.equal(found.process.pid, truth.get(pid)?.pid, `${name}: owner of ${pid}`);
      }
      all.set(pid, { ...facts, remembered: found });
    }
  }
}
