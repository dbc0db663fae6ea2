import assert from 'node:assert/strict';

import type { ListeningSocket } from '../../../../src/local/ports/listeningSockets.js';
import { SocketHistory } from '../../../../src/local/ports/socketHistory.js';

const socket = (inode: number): ListeningSocket => ({ address: '127.0.0.1', port: 80, uid: 0, inode });

describe('The history of sockets', () => {
  /** A history of what `listens`, which is changed between the looks. */
  function setUp() {
    const listens = new Set<number>();
    const history = new SocketHistory(() => Promise.resolve([...listens].map(socket)));
    const look = async () => (await history.look()).number;
    const later = (inode: number, than: number) => history.isLater(socket(inode), than);
    return { listens, history, look, later };
  }

  it('tells what has begun to listen since a look, for each look', async () => {
    const { listens, look, later } = setUp();
    listens.add(1);
    const first = await look();
    listens.add(2);
    const second = await look();
    listens.add(3);
    await look();
    assert.deepEqual(
      [1, 2, 3].map((inode) => [later(inode, first), later(inode, second)]),
      [
        [false, false],
        [true, false],
        [true, true],
      ],
    );
  });

  it('does not take a socket for a new one that was missing from a list', async () => {
    const { listens, look, later } = setUp();
    listens.add(1);
    const first = await look();
    listens.delete(1);
    await look();
    listens.add(1);
    await look();
    assert.equal(later(1, first), false);
  });

  it('forgets what is gone', async () => {
    const { listens, look, later } = setUp();
    listens.add(1);
    const first = await look();
    listens.delete(1);
    for (let looks = 0; looks < 20; looks += 1) {
      await look();
    }
    // The number would belong to another socket now.
    assert.equal(later(1, first), true);
  });

  it('shares one look among simultaneous callers, and fails only for them', async () => {
    let looks = 0;
    const history = new SocketHistory(() => {
      looks += 1;
      return looks === 1 ? Promise.reject(new Error('no descriptor')) : Promise.resolve([]);
    });
    const failed = await Promise.allSettled([history.look(), history.look()]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(looks, 1);
    assert.deepEqual(await history.look(), { number: 1, sockets: [] });
  });
});
