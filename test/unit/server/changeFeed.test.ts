import assert from 'node:assert/strict';

import { ChangeFeed, type ProcessChange } from '../../../src/server/sessions/changeFeed.js';
import { settle } from '../../support/settle.js';

function setUp() {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const versions = new Map<string, number>();
  const feed = new ChangeFeed({
    describe: (handle) => {
      const version = versions.get(handle);
      const process = version === undefined ? undefined : { argv: [String(version)] };
      return Promise.resolve(process as unknown as ProcessChange['process']);
    },
    send: ({ type, handle, process, expired }, taken) => {
      sent.push(`${type} ${handle}${process?.argv[0] ?? ''}${expired === true ? ' expired' : ''}`);
      waiting.push(taken);
    },
  });
  const change = (type: 'added' | 'changed' | 'removed', processId: string, version = 0) => {
    if (type === 'removed') {
      versions.delete(processId);
    } else {
      versions.set(processId, version);
    }
    feed.changed({ type, processId });
  };
  /** The client takes the message that is on its way. */
  const take = async () => {
    waiting.shift()?.();
    await settle();
  };
  return { feed, sent, change, take };
}

describe('A feed of changes', () => {
  it('tells those of one turn together, each process once and as it is', async () => {
    const { sent, change, take } = setUp();
    change('added', 'a', 1);
    change('changed', 'a', 2);
    change('changed', 'b', 1);
    change('added', 'c');
    change('removed', 'c');
    change('removed', 'd');
    assert.deepEqual(sent, []);
    await settle();
    await take();
    await take();
    await take();
    assert.deepEqual(sent, ['added a2', 'changed b1', 'removed c', 'removed d']);
  });

  it('tells nothing before the answers of its turn have gone', async () => {
    const { sent, change } = setUp();
    change('added', 'a', 1);
    const sentAtItsEnd = await new Promise<readonly string[]>((resolve) => {
      setImmediate(() => resolve([...sent]));
    });
    assert.deepEqual(sentAtItsEnd, []);
    await settle();
    assert.deepEqual(sent, ['added a1']);
  });

  it('has one message on its way to a client that does not read, and then the newest only', async () => {
    const { sent, change, take } = setUp();
    change('added', 'a', 1);
    await settle();
    for (let version = 2; version < 1_000; version += 1) {
      change('changed', 'a', version);
      change('changed', 'b', version);
      await Promise.resolve();
    }
    await settle();
    assert.deepEqual(sent, ['added a1']);
    await take();
    await take();
    await take();
    assert.deepEqual(sent, ['added a1', 'changed a999', 'changed b999']);
    change('removed', 'b');
    await settle();
    assert.equal(sent.at(-1), 'removed b');
  });

  it('reports the subject of an answer at once, and only once', async () => {
    const { feed, sent, change, take } = setUp();
    change('added', 'a', 1);
    change('added', 'b', 1);
    await feed.tellNow('b');
    assert.deepEqual(sent, ['added b1']);
    await settle();
    await take();
    assert.deepEqual(sent, ['added b1', 'added a1']);
  });

  it('tells nothing after its end', async () => {
    const { feed, sent, change } = setUp();
    change('added', 'a', 1);
    feed.dispose();
    change('added', 'b', 1);
    await feed.tellNow('a');
    await settle();
    assert.deepEqual(sent, []);
  });
});
