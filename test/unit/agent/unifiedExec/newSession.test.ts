import assert from 'node:assert/strict';

import { ExecError } from '../../../../src/core/index.js';
import { setUp } from './setup.js';
import { rejects } from './setup.js';

describe('a unified exec request without a session', () => {
  it('A2.19, A2.23 starts its chunks as the argument list, and writes nothing', async () => {
    const { open, backend } = setUp();
    const { process } = await open('echo', '$HOME\n', '*');
    const { argv, cwd, env, envPolicy, tty, size } = process.params;
    assert.deepEqual(argv, ['echo', '$HOME\n', '*']);
    assert.equal(cwd, '/work');
    // The host's environment, and nothing else.
    assert.deepEqual(env, {});
    assert.deepEqual(envPolicy, {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [],
      set: {},
      includeOnly: [],
    });
    assert.equal(tty, true);
    assert.deepEqual(size, { columns: 80, rows: 24 });
    assert.equal(process.input, '');
    assert.equal(backend.processes.length, 1);
  });

  it('A2.20 numbers sessions from 0; a failed start takes a number as well', async () => {
    const { open, backend, begin } = setUp();
    assert.equal((await open()).sessionId, 0);
    assert.equal((await open()).sessionId, 1);
    backend.refusal = new Error('no such program');
    await assert.rejects((await begin({ inputChunks: ['missing'] })).result);
    backend.refusal = undefined;
    await assert.rejects((await begin({ inputChunks: [] })).result);
    assert.equal((await open()).sessionId, 4);
  });

  it('A2.20 numbers sessions that are started at once in the order of their requests', async () => {
    const { begin } = setUp();
    const all = await Promise.all([1, 2, 3].map(() => begin({ inputChunks: ['cat'], timeoutMs: 0 })));
    const ids = await Promise.all(all.map(async ({ result }) => (await result).sessionId));
    assert.deepEqual(ids, [0, 1, 2]);
  });

  it('A2.21 is refused without a command', async () => {
    const { begin, backend } = setUp();
    const { result } = await begin({ inputChunks: [] });
    await rejects(result, 'missingCommandLine', 'missing command line for unified exec request');
    assert.equal(backend.processes.length, 0);
  });

  it('A2.22 tells why the start failed', async () => {
    const { begin, backend, manager } = setUp();
    backend.refusal = new ExecError({ kind: 'programNotFound', program: 'missing', cwd: '/work' });
    const { result } = await begin({ inputChunks: ['missing'] });
    await rejects(
      result,
      'createSession',
      `Failed to create unified exec session: ${backend.refusal.message}`,
    );
    assert.deepEqual(manager.sessionIds, []);
  });

  it('A2.30 makes a session only if the process has not exited by the end', async () => {
    const { begin, clock, manager, newest } = setUp();
    const pending = await begin({ inputChunks: ['cat'], timeoutMs: 100 });
    assert.deepEqual(manager.sessionIds, []);
    clock.advance(100);
    assert.equal((await pending.result).sessionId, 0);
    assert.deepEqual(manager.sessionIds, [0]);

    const short = await begin({ inputChunks: ['true'], timeoutMs: 100 });
    newest().ends(3);
    clock.advance(100);
    assert.deepEqual(await short.result, { output: '' });
    assert.deepEqual(manager.sessionIds, [0]);
    assert.equal(newest().holders, 0);
  });

  it('has the output from before anybody could look, which the reference may lose (A2.34)', async () => {
    const { begin, clock, backend, newest } = setUp();
    const start = backend.start.bind(backend);
    backend.start = async (params) => {
      const process = await start(params);
      process.prints('early ');
      return process;
    };
    const pending = await begin({ inputChunks: ['cat'], timeoutMs: 100 });
    newest().prints('late');
    clock.advance(100);
    assert.equal((await pending.result).output, 'early late');
  });

  it('has the output of a process that was over before anybody could look', async () => {
    const { begin, clock, backend, newest } = setUp();
    const start = backend.start.bind(backend);
    backend.start = async (params) => {
      const process = await start(params);
      process.prints('codex');
      process.ends(0);
      return process;
    };
    const pending = await begin({ inputChunks: ['echo', 'codex'] });
    clock.advance(1_000);
    assert.deepEqual(await pending.result, { output: 'codex' });
    assert.equal(newest().holders, 0);
  });
});
