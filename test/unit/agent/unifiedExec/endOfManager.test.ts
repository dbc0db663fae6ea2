import assert from 'node:assert/strict';

import { setUp } from './setup.js';

describe('disposing unified exec', () => {
  it('A2.36 ends every process, also those that nobody knows of yet', async () => {
    const { open, begin, manager, backend, clock } = setUp();
    await open();
    const pending = await begin({ inputChunks: ['sleep', '9'] });
    const ended: string[] = [];
    for (const process of backend.processes) {
      process.terminate = () => {
        ended.push(process.params.argv.join(' '));
        process.ends(137, 'SIGKILL');
        return Promise.resolve({ running: true });
      };
    }
    await manager.dispose();
    assert.deepEqual(ended, ['bash -i', 'sleep 9']);
    assert.deepEqual(
      backend.processes.map(({ holders }) => holders),
      [0, 0],
    );
    clock.advance(1_000);
    assert.deepEqual(await pending.result, { output: '' });
    assert.deepEqual(manager.sessionIds, []);
  });

  it('A2.36 ends a process whose start was under way', async () => {
    const { begin, manager, backend, newest } = setUp();
    let ended = false;
    const start = backend.start.bind(backend);
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    backend.start = async (params) => {
      const process = await start(params);
      process.terminate = () => {
        ended = true;
        return Promise.resolve({ running: true });
      };
      await gate;
      return process;
    };
    const pending = await begin({ inputChunks: ['cat'] });
    await manager.dispose();
    go();
    await assert.rejects(pending.result, /Failed to create unified exec session/);
    assert.equal(ended, true);
    assert.equal(newest().holders, 0);
  });
});
