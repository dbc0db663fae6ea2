import assert from 'node:assert/strict';

import { isRunning, sessionMembers, until } from '../support/processes.js';
import { useServer } from './inProcess.js';
import { base64, PATH, sh, startParams } from './rawClient.js';

describe('Processes over the wire', () => {
  const fixture = useServer();

  it('are numbered from 1 without a gap, and told after the answer to their start', async () => {
    const client = await fixture.client();
    const ids = Array.from({ length: 100 }, (_, index) => `p${index}`);
    await Promise.all(ids.map((id) => client.start(id, sh('echo out; echo err >&2; exit 3'))));
    await Promise.all(ids.map((id) => client.told(id, 'closed')));
    for (const id of ids) {
      assert.deepEqual(client.numbers(id), [1, 2, 3, 4]);
      const exited = client.notifications.find(
        ({ method, params }) => method === 'process/exited' && params['processId'] === id,
      );
      assert.deepEqual(exited?.params, { processId: id, seq: 3, exitCode: 3, sandboxDenied: false });
      const answer = client.heard.findIndex(
        (message) => 'id' in message && message.result?.['processId'] === id,
      );
      const first = client.heard.findIndex(
        (message) => 'method' in message && message.params['processId'] === id,
      );
      assert.ok(answer < first, `${id}: answered at ${answer}, told at ${first}`);
    }
  });

  it('are told as they are: streams, bytes, the signal that ended one', async () => {
    const client = await fixture.client();
    const { pid, ...answer } = await client.start('p', sh('printf "a\\377"; kill -TERM $$'));
    assert.deepEqual(answer, { processId: 'p', sandboxType: 'none' });
    assert.equal(typeof pid, 'number');
    const output = await client.told('p', 'output');
    assert.deepEqual(output.params, { processId: 'p', seq: 1, stream: 'stdout', chunk: 'Yf8=' });
    const exited = await client.told('p', 'exited');
    assert.deepEqual(exited.params, {
      processId: 'p',
      seq: 2,
      exitCode: 143,
      sandboxDenied: false,
      exitSignal: 'SIGTERM',
    });
    assert.deepEqual((await client.told('p', 'closed')).params, { processId: 'p', seq: 3 });
  });

  it('run in the environment that was asked for', async () => {
    const client = await fixture.client();
    const policy = {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: ['PATH'],
      set: { A: '1' },
      includeOnly: [],
    };
    await client.start('p', ['/usr/bin/env'], { env: { B: '2' }, envPolicy: policy });
    await client.start('bare', ['/usr/bin/env'], { env: { C: '3' } });
    await Promise.all([client.told('p', 'closed'), client.told('bare', 'closed')]);
    assert.deepEqual(client.output('p').trim().split('\n').sort(), [
      'A=1',
      'B=2',
      'HOST_VARIABLE=of the server',
    ]);
    assert.equal(client.output('bare'), 'C=3\n');
  });

  describe('A start is refused', () => {
    const refusals: readonly (readonly [
      what: string,
      some: object,
      code: number,
      message: string | RegExp,
    ])[] = [
      ['without arguments', { argv: [] }, -32602, 'argv must not be empty'],
      ['without a member', { argv: undefined }, -32602, 'missing field `argv`'],
      ['with a path for a URI', { cwd: '/tmp' }, -32602, 'invalid URI: relative URL without a base'],
      ['with another scheme', { cwd: 'http://x/' }, -32602, 'unsupported path URI scheme `http`'],
      [
        'in a directory of another machine',
        { cwd: 'file://host/x' },
        -32602,
        "cwd URI `file://host/x` is not valid on this exec-server host: 'file://host/x' is invalid on 'linux'",
      ],
      ['without a program', { argv: [''] }, -32603, 'missing program for pipe spawn'],
      [
        'with a program that is not there',
        { argv: ['/no/such'] },
        -32603,
        'No such file or directory (os error 2)',
      ],
      ['with a directory for a program', { argv: ['/tmp'] }, -32603, 'Permission denied (os error 13)'],
      [
        'in a directory that is not there',
        { cwd: 'file:///no' },
        -32603,
        'No such file or directory (os error 2)',
      ],
      ['in a file', { cwd: 'file:///etc/passwd' }, -32603, 'Not a directory (os error 20)'],
      ['with NUL', { argv: ['echo', 'a\0'] }, -32603, 'nul byte found in provided data'],
      [
        'with arguments too long',
        { argv: ['true', 'x'.repeat(200_000)] },
        -32603,
        'Argument list too long (os error 7)',
      ],
      [
        'with a terminal of no size',
        { tty: true, size: { columns: 0, rows: 1 } },
        -32602,
        'terminal size must be positive',
      ],
      ...['sandbox', 'managedNetwork', 'networkProxy', 'shellSnapshot'].map(
        (name) => [`with ${name}`, { [name]: {} }, -32602, new RegExp(`cannot enforce \`${name}\``)] as const,
      ),
      ['with enforceManagedNetwork', { enforceManagedNetwork: true }, -32602, /cannot enforce/],
    ];
    for (const [what, some, code, message] of refusals) {
      it(`${what}, and its name stays free`, async () => {
        const client = await fixture.client();
        const refused = await client.refused('process/start', startParams('p', ['true'], some));
        assert.equal(refused[0], code);
        if (typeof message === 'string') {
          assert.equal(refused[1], message);
        } else {
          assert.match(refused[1], message);
        }
        await client.start('p', ['true'], {
          sandbox: null,
          networkProxy: null,
          enforceManagedNetwork: false,
        });
      });
    }

    it('with a name that is taken, as long as the process is retained', async () => {
      const client = await fixture.client();
      await client.start('p', ['true']);
      assert.deepEqual(await client.refused('process/start', startParams('p', ['true'])), [
        -32600,
        'process p already exists',
      ]);
      await client.told('p', 'closed');
      fixture.clock.advance(79_999);
      assert.equal((await client.refused('process/start', startParams('p', ['true'])))[0], -32600);
      fixture.clock.advance(1);
      assert.deepEqual(await client.refused('process/read', { processId: 'p' }), [
        -32600,
        'unknown process id p',
      ]);
      await client.start('p', ['true']);
    });
  });

  it('are named by the client in errors, whatever the server calls them', async () => {
    const client = await fixture.client();
    await client.start('p', ['true']);
    const { error } = await client.ask('process/resize', { processId: 'p', size: { columns: 1, rows: 1 } });
    assert.deepEqual(error, {
      code: -32600,
      message: 'process is not attached to a PTY',
      data: { failure: { kind: 'noTerminal', processId: 'p' } },
    });
  });

  describe('process/read', () => {
    it('answers with what is there, and where to go on', async () => {
      const client = await fixture.client();
      await client.start('p', sh('echo a; sleep 0.05; echo b; exit 7'));
      await client.told('p', 'closed');
      const state = {
        exited: true,
        exitCode: 7,
        closed: true,
        failure: null,
        sandboxDenied: false,
        exitSeq: 3,
      };
      const [one, two] = [
        { seq: 1, stream: 'stdout', chunk: base64('a\n') },
        { seq: 2, stream: 'stdout', chunk: base64('b\n') },
      ];
      const read = (some: object) => client.request('process/read', { processId: 'p', ...some });
      assert.deepEqual(await read({}), { chunks: [one, two], nextSeq: 5, ...state });
      assert.deepEqual(await read({ maxBytes: 0 }), { chunks: [one], nextSeq: 2, ...state });
      assert.deepEqual(await read({ afterSeq: 1, maxBytes: 2 }), { chunks: [two], nextSeq: 3, ...state });
      assert.deepEqual(await read({ afterSeq: 2, maxBytes: 9 }), { chunks: [], nextSeq: 5, ...state });
      assert.deepEqual(await read({ afterSeq: 4, waitMs: 60_000 }), { chunks: [], nextSeq: 5, ...state });
    });

    it('waits, while other requests go on', async () => {
      const client = await fixture.client();
      await client.start('p', ['sleep', '100']);
      const waiting = client.request('process/read', { processId: 'p', waitMs: 60_000 });
      assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: true });
      const { exited, exitCode, exitSignal } = await waiting;
      assert.deepEqual([exited, exitCode, exitSignal], [true, 137, 'SIGKILL']);
    });

    it('ends with its time', async () => {
      const client = await fixture.client();
      await client.start('p', ['sleep', '100']);
      const waiting = client.request('process/read', { processId: 'p', waitMs: 500 });
      // It is behind the waiting one, which has begun when this is answered.
      await client.request('process/list', {});
      fixture.clock.advance(500);
      assert.deepEqual(await waiting, {
        chunks: [],
        nextSeq: 1,
        exited: false,
        exitCode: null,
        closed: false,
        failure: null,
        sandboxDenied: false,
      });
    });

    it('says what is gone', async () => {
      const client = await fixture.client();
      await client.start('p', sh('head -c 3000000 /dev/zero'));
      await client.told('p', 'closed');
      const { chunks, evicted } = await client.request('process/read', { processId: 'p' });
      const kept = (chunks as { readonly chunk: string }[])
        .map(({ chunk }) => Buffer.from(chunk, 'base64').byteLength)
        .reduce((sum, size) => sum + size, 0);
      assert.ok(kept <= 1024 * 1024);
      assert.equal(kept + (evicted as { readonly bytes: number }).bytes, 3_000_000);
    });
  });

  describe('process/write', () => {
    it('says what became of it', async () => {
      const client = await fixture.client();
      await client.start('piped', ['cat'], { pipeStdin: true });
      await client.start('closed', ['sleep', '100']);
      const write = (processId: string, writeId: string, chunk = base64('hi\n')) =>
        client
          .ask('process/write', { processId, chunk, writeId })
          .then(({ result, error }) => result ?? error?.message);
      assert.deepEqual(await write('piped', 'a'), { status: 'accepted' });
      assert.deepEqual(await write('piped', 'b', ''), { status: 'accepted' });
      assert.deepEqual(await write('nobody', 'a'), { status: 'unknownProcess' });
      assert.deepEqual(await write('closed', 'a'), { status: 'stdinClosed' });
      assert.deepEqual(await write('nobody', ''), 'writeId must not be empty');
      assert.deepEqual(await write('nobody', 'a', '!'), 'Invalid symbol 33, offset 0.');
      await client.told('piped', 'output');
      assert.equal(client.output('piped'), 'hi\n');
    });

    it('writes once under one name, also after the end', async () => {
      const client = await fixture.client();
      await client.start('p', sh('head -n 2'), { pipeStdin: true });
      const write = (writeId: string, text: string) =>
        client.request('process/write', { processId: 'p', chunk: base64(text), writeId });
      await Promise.all([
        write('1', 'one\n'),
        write('1', 'one\n'),
        write('1', 'other\n'),
        write('2', 'two\n'),
      ]);
      await client.told('p', 'closed');
      assert.equal(client.output('p'), 'one\ntwo\n');
      assert.deepEqual(await write('1', 'again'), { status: 'accepted' });
      assert.deepEqual(await client.refused('process/write', { processId: 'p', chunk: '', writeId: '' }), [
        -32602,
        'writeId must not be empty',
      ]);
      const chunk = base64('new');
      assert.deepEqual(await client.refused('process/write', { processId: 'p', chunk, writeId: '3' }), [
        -32603,
        'failed to write to process stdin',
      ]);
    });

    it('goes on to take input that nobody reads, as the real server does', async () => {
      const client = await fixture.client();
      await client.start('deaf', sh('exec 0<&-; echo ready; sleep 100'), { pipeStdin: true });
      await client.told('deaf', 'output');
      await client.start('terminal', ['true'], { tty: true });
      await client.told('terminal', 'closed');
      for (const processId of ['deaf', 'terminal']) {
        for (const writeId of ['1', '2', '3']) {
          const params = { processId, chunk: base64('x'), writeId };
          let answered = false;
          const answer = client.request('process/write', params).finally(() => (answered = true));
          await until(() => {
            // Time enough to see that it has not exited.
            fixture.clock.advance(100);
            return answered;
          });
          assert.deepEqual(await answer, { status: 'accepted' });
        }
      }
    });

    it('waits for a process that does not read, which disturbs nobody else, and ends with it', async () => {
      const client = await fixture.client();
      await client.start('full', sh('echo $$; exec sleep 100'), { pipeStdin: true });
      await client.start('other', ['cat'], { pipeStdin: true });
      const chunk = Buffer.alloc(600_000).toString('base64');
      const writes = ['1', '2', '3', '4'].map((writeId) =>
        client.ask('process/write', { processId: 'full', chunk, writeId }),
      );
      const close = client.ask('process/closeStdin', { processId: 'full' });
      await client.request('process/write', { processId: 'other', chunk: base64('x'), writeId: '1' });
      await client.told('other', 'output');
      assert.deepEqual((await writes[0])?.result, { status: 'accepted' });
      assert.equal(
        client.heard.filter((message) => 'result' in message && message.result['status'] !== undefined)
          .length,
        2,
      );
      await client.request('process/terminate', { processId: 'full' });
      for (const write of writes.slice(1)) {
        assert.equal((await write).error?.message, 'failed to write to process stdin');
      }
      await close;
    });

    it('need not wait for the answer to the start', async () => {
      const client = await fixture.client();
      for (const tty of [false, true]) {
        const processId = `tty ${tty}`;
        client.send({
          id: 'start',
          method: 'process/start',
          params: startParams(processId, sh('read x; echo "got $x"'), { tty, pipeStdin: true }),
        });
        const wrote = client.request('process/write', { processId, chunk: base64('it\n'), writeId: '1' });
        const read = client.request('process/read', { processId });
        assert.deepEqual(await wrote, { status: 'accepted' });
        assert.equal((await read)['failure'], null);
        await client.told(processId, 'closed');
        assert.match(client.output(processId), /got it/);
      }
      client.send({ id: 'no', method: 'process/start', params: startParams('no', ['/no/such']) });
      assert.deepEqual(await client.request('process/write', { processId: 'no', chunk: '', writeId: '1' }), {
        status: 'unknownProcess',
      });
    });

    it('comes before what is asked after it', async () => {
      const client = await fixture.client();
      await client.start('p', ['cat'], { pipeStdin: true });
      const texts = Array.from({ length: 200 }, (_, index) => `${index}\n`);
      texts.forEach((text, index) => {
        client.send({
          id: `w${index}`,
          method: 'process/write',
          params: { processId: 'p', chunk: base64(text), writeId: `${index}` },
        });
      });
      assert.deepEqual(await client.request('process/closeStdin', { processId: 'p' }), {});
      await client.told('p', 'closed');
      assert.equal(client.output('p'), texts.join(''));
      assert.deepEqual(
        await client.request('process/write', { processId: 'p', chunk: base64('x'), writeId: 'late' }),
        { status: 'stdinClosed' },
      );
    });
  });

  describe('process/signal', () => {
    it('interrupts, sends the others, and says which there are', async () => {
      const client = await fixture.client();
      await client.start(
        'p',
        sh(`trap 'echo usr1' USR1; trap 'echo int; exit 5' INT; echo ready; while :; do sleep 0.02; done`),
      );
      await client.untilTrue(() => client.output('p').includes('ready'));
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'SIGUSR1' }), {});
      await client.untilTrue(() => client.output('p').includes('usr1'));
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'interrupt' }), {});
      assert.equal((await client.told('p', 'exited')).params['exitCode'], 5);
      assert.deepEqual(await client.request('process/signal', { processId: 'p', signal: 'interrupt' }), {});
      assert.deepEqual(
        await client.request('process/signal', { processId: 'nobody', signal: 'interrupt' }),
        {},
      );
      assert.deepEqual(await client.refused('process/signal', { processId: 'nobody', signal: 'term' }), [
        -32602,
        'unknown variant `term`, expected `interrupt`',
      ]);
    });
  });

  describe('process/terminate', () => {
    for (const tty of [false, true]) {
      it(`kills the whole POSIX session and lets go of the output ${tty ? 'of a terminal' : 'of pipes'}`, async () => {
        const client = await fixture.client();
        const script = `(trap '' HUP; sleep 1000) & setsid sh -c 'trap "" HUP; echo $$; sleep 1000' & wait`;
        const { pid } = await client.start('p', sh(script), { tty });
        await client.told('p', 'output');
        const outside = Number(client.output('p'));
        assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: true });
        assert.equal((await client.told('p', 'exited')).params['exitCode'], 137);
        await client.told('p', 'closed');
        assert.deepEqual(await sessionMembers(Number(pid)), []);
        assert.ok(await isRunning(outside));
        process.kill(-outside, 'SIGKILL');
        assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: false });
      });
    }

    it('leaves alone what a process that has ended has left in the background', async () => {
      const client = await fixture.client();
      const { pid } = await client.start('p', sh('sleep 1000 >/dev/null 2>&1 & exit 0'));
      await client.told('p', 'closed');
      assert.deepEqual(await client.request('process/terminate', { processId: 'p' }), { running: false });
      assert.equal((await sessionMembers(Number(pid))).length, 1);
      const report = await client.request('process/stop', {
        processId: 'p',
        stopId: 's',
        graceMs: { interrupt: 0 },
      });
      assert.deepEqual(report, { running: true, steps: ['terminate'], exited: true, survivors: [] });
    });

    it('cancels a start', async () => {
      const client = await fixture.client();
      // With a name of its own its program is looked for first, for many turns; else it may run before the next message.
      const start = { ...startParams('p', ['sleep', '100']), tty: true, arg0: 'other' };
      const starting = client.ask('process/start', start);
      const terminated = client.request('process/terminate', { processId: 'p' });
      assert.deepEqual(await terminated, { running: true });
      assert.deepEqual((await starting).error?.message, 'process p start was cancelled');
      assert.deepEqual(await client.refused('process/read', { processId: 'p' }), [
        -32600,
        'unknown process id p',
      ]);
    });
  });

  describe('A terminal', () => {
    it('has the size that was asked for, and takes another', async () => {
      const client = await fixture.client();
      const script = `trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done`;
      await client.start('p', sh(script), { tty: true, size: { columns: 100, rows: 30 } });
      await client.untilTrue(() => client.output('p').includes('30 100'));
      await client.request('process/resize', { processId: 'p', size: { columns: 101, rows: 31 } });
      await client.told('p', 'closed');
      assert.ok(client.output('p').includes('31 101'));
    });

    it('echoes, ends its input, and is one stream', async () => {
      const client = await fixture.client();
      await client.start('p', ['cat'], { tty: true });
      await client.request('process/write', { processId: 'p', chunk: base64('hi\n'), writeId: '1' });
      await client.untilTrue(() => client.output('p') === 'hi\r\nhi\r\n');
      await client.request('process/closeStdin', { processId: 'p' });
      assert.equal((await client.told('p', 'exited')).params['exitCode'], 0);
      assert.equal((await client.told('p', 'output')).params['stream'], 'pty');
    });
  });

  describe('process/stop', () => {
    it('climbs the ladder, and can be cancelled', async () => {
      const client = await fixture.client();
      const script = `trap 'echo int' INT; echo ready; while :; do sleep 0.02; done`;
      await client.start('p', sh(script));
      await client.told('p', 'output');
      const params = { processId: 'p', stopId: 'mine', graceMs: { interrupt: 60_000 } };
      const stopped = client.request('process/stop', params);
      await client.untilTrue(() => client.output('p').includes('int'));
      assert.deepEqual(await client.request('process/cancelStop', { stopId: 'mine' }), {});
      const { steps, exited } = await stopped;
      assert.deepEqual([steps, exited], [['interrupt'], false]);
      const report = await client.request('process/stop', { ...params, graceMs: { interrupt: 0 } });
      assert.deepEqual(report, { running: true, steps: ['terminate'], exited: true, survivors: [] });
      assert.deepEqual(await client.request('process/stop', { processId: 'nobody', stopId: 'x' }), {
        running: false,
        steps: [],
        exited: false,
        survivors: [],
      });
    });
  });

  it('are listed with what is known of them', async () => {
    const client = await fixture.client();
    const clientMetadata = { title: 'Mine', nested: { a: [1] } };
    const { pid } = await client.start('p', ['cat'], { pipeStdin: true, clientMetadata });
    const { processes } = await client.request('process/list');
    assert.ok(Array.isArray(processes) && processes.length === 1);
    const [{ handle, ...rest }] = processes as [Record<string, unknown>];
    assert.equal(typeof handle, 'string');
    assert.deepEqual(rest, {
      processId: 'p',
      argv: ['cat'],
      cwd: 'file:///tmp',
      tty: false,
      pipeStdin: true,
      state: 'running',
      pid,
      startedAt: 0,
      output: {
        bytes: 0,
        chunks: 0,
        retainedBytes: 0,
        evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
        lastSeq: 0,
      },
      metadata: clientMetadata,
    });
    assert.equal(PATH.length > 0, true);
  });
});
