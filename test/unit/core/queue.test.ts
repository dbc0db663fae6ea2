import assert from 'node:assert/strict';

import fc from 'fast-check';

import { Queue } from '../../../src/core/index.js';
import { processorMs } from '../../support/processorTime.js';

describe('A queue', () => {
  it('gives what an array gives, whatever is done to it', () => {
    const steps = fc.array(fc.constantFrom('shift', 'push', 'putBack', 'clear'), {
      maxLength: 2_000,
      size: 'max',
    });
    fc.assert(
      fc.property(steps, (names) => {
        const queue = new Queue<number>();
        let array: number[] = [];
        names.forEach((name, index) => {
          if (name === 'push') {
            queue.push(index);
            array.push(index);
          } else if (name === 'putBack') {
            queue.putBack(index);
            array.unshift(index);
          } else if (name === 'shift') {
            assert.equal(queue.shift(), array.shift());
          } else if (index % 100 === 0) {
            queue.clear();
            array = [];
          }
          assert.equal(queue.size, array.length);
          assert.equal(queue.first, array[0]);
        });
        assert.deepEqual([...queue], array);
      }),
    );
  });

  it('takes a long one apart in a time that does not grow with its square', () => {
    const queue = new Queue<number>();
    const count = 300_000;
    for (let item = 0; item < count; item++) {
      queue.push(item);
    }
    const time = processorMs(() => {
      for (let item = 0; item < count; item++) {
        assert.equal(queue.shift(), item);
      }
    });
    // An array that moves its items each time takes more than ten times as long.
    assert.ok(time < 2_000);
  });
});
