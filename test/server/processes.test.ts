import assert from 'node:assert/strict';

import { useServer } from './inProcess.js';
import { base64, sh, startParams } from './rawClient.js';

describe('Processes over the wire', () => {
  const fixture = useServer();

  it('are numbered from 1 without a gap, and told after the answer to their start', async () => {
    const client = await fixture.client();
    const ids = Array.from({ length: 25 }, (_, index) => `p${index}`);
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

  it('are reported exactly: streams, bytes, and the signal that ended one', async () => {
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
    const variables = client.output('p').trim().split('\n').sort();
    // The mark of its session is one of the server's variables: only a start that inherits them has it.
    assert.match(
      variables.find((line) => line.startsWith('EXEC_SESSION_ID=')) ?? '',
      /=[0-9a-f-]{36}\/\d+@\S+$/,
    );
    assert.deepEqual(
      variables.filter((line) => !line.startsWith('EXEC_SESSION_ID=')),
      ['A=1', 'B=2', 'HOST_VARIABLE=of the server'],
    );
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
      ['without a member', { argv: undefined }, -32602, '"argv" is missing: it has to be an array'],
      [
        'with a path for a URI',
        { cwd: '/tmp' },
        -32602,
        'invalid URI: "/tmp" is not a URI; a path has to be one such as file:///tmp',
      ],
      [
        'with another scheme',
        { cwd: 'http://x/' },
        -32602,
        'unsupported path URI scheme: "http://x/" has to begin with file:',
      ],
      [
        'in a directory of another machine',
        { cwd: 'file://host/x' },
        -32602,
        "'file://host/x' is invalid on 'linux'",
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
      ...['managedNetwork', 'networkProxy', 'shellSnapshot'].map(
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
    it('answers with the available output and the next position', async () => {
      const client = await fixture.client();
      await client.start('p', sh('echo a; read -r go; echo b; exit 7'), { pipeStdin: true });
      await client.told('p', 'output');
      await client.request('process/write', { processId: 'p', chunk: base64('go\n'), writeId: 'w' });
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
      // This request comes after the read, which is waiting when this one has been answered.
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

    it('says how much output is gone', async () => {
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
  });
});
