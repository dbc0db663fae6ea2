import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';

import { type Stranger, Strangers } from '../../../src/core/index.js';

class Socket extends EventEmitter implements Stranger {
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

describe('Strangers', () => {
  const strangers = () => {
    const kept = new Strangers(2);
    const sockets: Socket[] = [];
    const come = () => {
      const socket = new Socket();
      sockets.push(socket);
      kept.add(socket);
      return socket;
    };
    return { kept, come, ended: () => sockets.map(({ isDestroyed }) => isDestroyed) };
  };

  it('leave in the order in which they came, when there are too many', () => {
    const { come, ended } = strangers();
    for (let count = 0; count < 5; count += 1) {
      come();
    }
    assert.deepEqual(ended(), [true, true, true, false, false]);
  });

  it('are none any more once they are admitted', () => {
    const { kept, come, ended } = strangers();
    kept.admit(come());
    for (let count = 0; count < 3; count += 1) {
      come();
    }
    assert.deepEqual(ended(), [false, true, false, false]);
  });

  it('do not count when they have left', () => {
    const { come, ended } = strangers();
    const first = come();
    come().destroy();
    come();
    assert.equal(first.isDestroyed, false);
    assert.deepEqual(ended(), [false, true, false]);
  });
});
