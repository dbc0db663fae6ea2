import assert from 'node:assert/strict';

import { AccessOrder } from '../../../../src/server/methods/fileSystem/index.js';

describe('The order of what one client does with files', () => {
  let order: AccessOrder;
  let log: string[];
  let finish: Map<string, (error?: Error) => void>;
  beforeEach(() => {
    order = new AccessOrder();
    log = [];
    finish = new Map();
  });

  const work = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve, reject) => {
      finish.set(name, (error) => (error === undefined ? resolve() : reject(error)));
    });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string, error?: Error) => {
    finish.get(name)?.(error);
    await turn();
  };

  it('lets looks go side by side, and a change wait for them', async () => {
    void order.look(work('look 1'));
    void order.look(work('look 2'));
    void order.change(work('change'));
    await turn();
    assert.deepEqual(log, ['look 1', 'look 2']);
    await end('look 2');
    assert.deepEqual(log, ['look 1', 'look 2']);
    await end('look 1');
    assert.deepEqual(log, ['look 1', 'look 2', 'change']);
  });

  it('lets everything wait for a change before it, also for one that fails', async () => {
    const failing = order.change(work('change 1'));
    void order.change(work('change 2'));
    void order.look(work('look'));
    await turn();
    assert.deepEqual(log, ['change 1']);
    const failed = assert.rejects(failing, /no/);
    await end('change 1', new Error('no'));
    await failed;
    assert.deepEqual(log, ['change 1', 'change 2']);
    await end('change 2');
    assert.deepEqual(log, ['change 1', 'change 2', 'look']);
  });

  it('goes on after a look that fails', async () => {
    const failing = order.look(work('look'));
    void order.change(work('change'));
    await turn();
    const failed = assert.rejects(failing, /no/);
    await end('look', new Error('no'));
    await failed;
    assert.deepEqual(log, ['look', 'change']);
  });
});
