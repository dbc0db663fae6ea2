import assert from 'node:assert/strict';

import fc from 'fast-check';

import { Queue } from '../../../src/core/index.js';

describe('A queue', () => {
  it('gives what an array gives, whatever is done to it @property', () => {
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
    const count = 1_000_000;
    for (let item = 0; item < count; item++) {
      queue.push(item);
    }
    // An array that moves its items each time would outlast the limit of a test.
    let item = 0;
    while (queue.shift() === item) {
      item += 1;
    }
    assert.equal(item, count);
  });
});
