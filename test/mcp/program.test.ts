import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { usePrograms, type Program } from '../server/program.js';
import { ifCodex, startCodexServer } from '../support/codexServer.js';
import { ownServer, startOwnServer } from '../support/execServer.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { textOf } from './clients.js';
import { useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

describe('The command line of exec-server mcp', () => {
  const fixture = usePrograms();

  for (const [args, message] of [
    [['--bogus'], /unknown option '--bogus'/],
    [['--connect'], /argument missing/],
    [['--connect', 'http://127.0.0.1:1'], /unsupported --connect URL `http:\/\/127\.0\.0\.1:1`; expected/],
    [['--connect', 'unix:'], /unsupported --connect URL/],
    [['--connect', 'ws://'], /unsupported --connect URL/],
    [['--connect', 'ws://me:secret@127.0.0.1:1'], /secrets do not belong into a URL/],
    [['--connect', 'http://me:secret@127.0.0.1:1'], /secrets do not belong into a URL/],
    [['--connect', 'ws://me:secret@127.0.0.1:99999'], /secrets do not belong into a URL/],
    [['ws://me:secret@127.0.0.1:1'], /secrets do not belong into a URL/],
    [['--connect', 'ws://127.0.0.1:1', '--', 'ssh', 'host'], /exclude each other/],
    [['ws://127.0.0.1:1'], /use --connect/],
    [['--token-env', 'TOKEN'], /require --connect/],
    [['--connect', 'unix:/x', '--token-file', '/x'], /require --connect/],
    [
      ['--connect', 'ws://127.0.0.1:1', '--token-env', 'NO_SUCH'],
      /variable NO_SUCH of --token-env is not set/,
    ],
    [['--connect', 'ws://127.0.0.1:1', '--token-env', 'A', '--token-file', '/x'], /exclude each other/],
    [['--alone', '--connect', 'ws://127.0.0.1:1'], /--alone is for commands on this machine/],
    [['--alone', '--', 'ssh', 'host'], /--alone is for commands on this machine/],
    [['--alone', '--alone', '--cwd'], /argument missing/],
    [['--connect', 'ws://127.0.0.1:1', '--cwd', 'here'], /must be an absolute path of the other machine/],
  ] as const) {
    it(`takes ${args.join(' ')} for a mistake in its use`, async () => {
      const program = fixture.run(['mcp', ...args]);
      assert.equal(await program.ended, 2);
      assert.match(program.stderr(), /^error: .*\n$/);
      assert.match(program.stderr(), message);
      assert.doesNotMatch(program.stderr(), /me:secret/);
      assert.equal(program.stdout(), '');
    });
  }

  it('says that a token cannot be read', async () => {
    const program = fixture.run(['mcp', '--connect', 'ws://127.0.0.1:1', '--token-file', '/no/such']);
    assert.equal(await program.ended, 1);
    assert.equal(
      program.stderr(),
      'Error: failed to read the token of --token-file /no/such: no such file or directory (ENOENT)\n',
    );
    assert.equal(program.stdout(), '');
  });

  it('says that a folder of this machine is not there', async () => {
    const program = fixture.run(['mcp', '--cwd', '/no/such/folder']);
    assert.equal(await program.ended, 1);
    assert.equal(program.stderr(), 'Error: the folder /no/such/folder of --cwd does not exist\n');
    assert.equal(program.stdout(), '');
  });

  it('explains itself', async () => {
    const program = fixture.run(['mcp', '--help']);
    assert.equal(await program.ended, 0);
    for (const option of [
      '--connect',
      '--token-env',
      '--token-file',
      '--cwd',
      '--alone',
      '--compatible',
      'PROGRAM',
    ]) {
      assert.ok(program.stdout().includes(option), option);
    }
  });
});

describe('The end of exec-server mcp', () => {
  const fixture = usePrograms();

  /** Starts a program with a session whose shell and child are known. */
  async function begin(
    args: readonly string[] = ['--alone'],
  ): Promise<{ program: Program; pids: readonly number[] }> {
    const program = fixture.run(['mcp', '--cwd', fixture.folder, ...args]);
    const say = (message: object) =>
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '0' };
    const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    say({ id: 1, method: 'initialize', params: handshake });
    await program.ready;
    say({ method: 'notifications/initialized' });
    const run = (id: number, cmd: string) =>
      say({ id, method: 'tools/call', params: { name: 'exec_command', arguments: { cmd } } });
    // The guard starts with the first child.
    run(2, 'true');
    await until(
      () => program.stdout(),
      (seen) => seen.includes('"id":2'),
    );
    run(3, 'sleep 1000 & echo $$ $! > pids; wait');
    const file = path.join(fixture.folder, 'pids');
    await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').endsWith('\n'));
    const pids = fs.readFileSync(file, 'utf8').trim().split(' ').map(Number);
    assert.ok(pids.every((pid) => pid > 0));
    // The shell may write before the turn of the program that forks it is over, and so before the guard is told of it.
    // If the program is killed by then, the shell goes on. The answer to a later message shows that the turn is over.
    say({ id: 4, method: 'ping' });
    await until(
      () => program.stdout(),
      (seen) => seen.includes('"id":4'),
    );
    return { program, pids };
  }

  const gone = (pids: readonly number[]) =>
    until(
      () => Promise.all(pids.map((pid) => isRunning(pid))),
      (seen) => seen.every((running) => !running),
    );

  it('comes with that of its input, and takes along what it has started', async () => {
    const { program, pids } = await begin();
    program.stdin.end();
    assert.equal(await program.ended, 0);
    await gone(pids);
    for (const line of program.stdout().trimEnd().split('\n')) {
      assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0');
    }
    assert.equal(program.stderr(), '');
  });

  for (const [signal, tag] of [
    ['SIGTERM', ''],
    ['SIGINT', ' @all'],
    ['SIGHUP', ' @all'],
  ] as const) {
    it(`comes with ${signal}, and takes along what it has started${tag}`, async () => {
      const { program, pids } = await begin();
      program.kill(signal);
      assert.equal(await program.ended, 0);
      await gone(pids);
    });
  }

  it('leaves no process when it is killed', async () => {
    const { program, pids } = await begin();
    program.kill('SIGKILL');
    assert.equal(await program.ended, 'SIGKILL');
    await gone(pids);
  });

  for (const [name, start] of [
    ['our exec-server', startOwnServer],
    ...ifCodex(['the real codex exec-server @all', startCodexServer] as const),
  ] as const) {
    it(`ends what it has started, and not the server, on ${name}`, async () => {
      const server = await start();
      try {
        const { program, pids } = await begin(['--connect', server.url]);
        program.stdin.end();
        assert.equal(await program.ended, 0);
        await gone(pids);
        assert.equal(await isRunning(server.pid), true);
      } finally {
        await server.stop();
      }
    });
  }
});

describe('exec-server mcp on other machines', () => {
  const programs = useMcpPrograms();
  const capability = (file: string) => ['--ws-auth', 'capability-token', '--ws-token-file', file];

  it('has the token from its environment, and gives it to no one', async () => {
    const file = path.join(programs.folder, 'token');
    fs.writeFileSync(file, 'open-sesame', { mode: 0o600 });
    const server = await startOwnServer({ args: capability(file) });
    try {
      const args = ['--connect', server.url, '--token-env', 'SERVER_TOKEN'];
      const { client } = await programs.start({ args, env: { SERVER_TOKEN: 'open-sesame' } });
      const reply = await callTool(client, 'exec_command', { cmd: 'echo "[$SERVER_TOKEN]"' });
      assert.match(reply.output, /^\[\]$/m);
    } finally {
      await server.stop();
    }
  });

  it('has the token from a file, which is read again when it has changed', async () => {
    const file = path.join(programs.folder, 'token');
    fs.writeFileSync(file, 'open-sesame\n', { mode: 0o600 });
    const server = await startOwnServer({ args: capability(file) });
    try {
      const own = path.join(programs.folder, 'own');
      fs.writeFileSync(own, 'guessed-it', { mode: 0o600 });
      const args = ['--connect', server.url, '--token-file', own];
      const { client } = await programs.start({ args });
      const refused = await callTool(client, 'exec_command', { cmd: 'echo in' });
      assert.equal(refused.isError, true);
      fs.writeFileSync(own, 'open-sesame\n');
      const reply = await callTool(client, 'exec_command', { cmd: 'echo in' });
      assert.match(reply.output, /^in$/m);
    } finally {
      await server.stop();
    }
  });

  it('says that the token is wrong, and goes on', async () => {
    const file = path.join(programs.folder, 'token');
    fs.writeFileSync(file, 'open-sesame', { mode: 0o600 });
    const server = await startOwnServer({ args: capability(file) });
    try {
      const args = ['--connect', server.url, '--token-env', 'SERVER_TOKEN'];
      const { client, stderr } = await programs.start({ args, env: { SERVER_TOKEN: 'guessed-it' } });
      for (let attempt = 0; attempt < 2; attempt++) {
        const reply = await callTool(client, 'exec_command', { cmd: 'echo in' });
        assert.equal(reply.isError, true);
        assert.match(reply.text, /token/i);
        assert.doesNotMatch(reply.text, /guessed-it/);
      }
      await until(
        () => stderr(),
        (seen) => /^Error: .*token/im.test(seen),
      );
      assert.doesNotMatch(stderr(), /guessed-it/);
    } finally {
      await server.stop();
    }
  });

  for (const [name, start] of [
    ['our exec-server', startOwnServer],
    ...ifCodex(['the real codex exec-server @all', startCodexServer] as const),
  ] as const) {
    it(`runs a command with half a character in it on ${name}`, async () => {
      const server = await start();
      try {
        const { client } = await programs.start({
          args: ['--connect', server.url, '--cwd', programs.folder],
        });
        const reply = await callTool(client, 'exec_command', { cmd: 'echo "a\ud83db"' });
        assert.match(reply.output, /^a\ufffdb$/m);
      } finally {
        await server.stop();
      }
    });
  }

  it('says that there is no server, and finds it when there is one', async () => {
    const first = await startOwnServer();
    const { url } = first;
    await first.stop();
    const { client } = await programs.start({ args: ['--connect', url] });
    const reply = await callTool(client, 'exec_command', { cmd: 'echo in' });
    assert.equal(reply.isError, true);
    assert.match(reply.text, new RegExp(new URL(url).host));
    const second = await startOwnServer({ args: ['--listen', url] });
    try {
      assert.match((await callTool(client, 'exec_command', { cmd: 'echo in' })).output, /^in$/m);
    } finally {
      await second.stop();
    }
  });

  it('says what was lost with a server, and uses the next one', async () => {
    const first = await startOwnServer();
    const { url } = first;
    const { client } = await programs.start({ args: ['--connect', url] });
    const { session } = await callTool(client, 'exec_command', {
      cmd: 'echo begun; sleep 1000',
      yield_time_ms: 0,
    });
    await callTool(client, 'wait_for', { session, pattern: 'begun' });
    await first.kill();
    const second = await startOwnServer({ args: ['--listen', url] });
    try {
      // The client learns that this server does not know its processes.
      const lost = await callTool(client, 'wait_for', { session, exit: true, timeout_ms: 50_000 });
      assert.match(lost.state, /^lost: /);
      const read = await callTool(client, 'read_output', { session, cursor: '0' });
      assert.match(read.output, /^begun$/m);
      assert.match((await callTool(client, 'exec_command', { cmd: 'echo again' })).output, /^again$/m);
    } finally {
      await second.stop();
    }
  });

  it('reaches a server on a private socket', async () => {
    const folder = path.join(programs.folder, 'private');
    fs.mkdirSync(folder, { mode: 0o700 });
    const socket = path.join(folder, 'socket');
    const server = await startOwnServer({ args: ['--listen', `unix:${socket}`] });
    try {
      const { client } = await programs.start({ args: ['--connect', `unix:${socket}`] });
      assert.match((await callTool(client, 'exec_command', { cmd: 'echo in' })).output, /^in$/m);
    } finally {
      await server.stop();
    }
  });

  it('reaches a server through a program', async () => {
    const args = ['--environment-name', 'the box', '--', process.execPath, ownServer, '--listen', 'stdio'];
    const { client } = await programs.start({ args });
    assert.match((await callTool(client, 'exec_command', { cmd: 'echo in' })).output, /^in$/m);
    assert.match((await callTool(client, 'list_sessions')).text, /the box/);
  });

  it('reports a program that cannot be started', async () => {
    const { client } = await programs.start({ args: ['--', '/no/such/program'] });
    const reply = await callTool(client, 'exec_command', { cmd: 'echo in' });
    assert.equal(reply.isError, true);
    assert.match(reply.text, /\/no\/such\/program/);
  });
});

describe('exec-server mcp --compatible', () => {
  const programs = useMcpPrograms();

  interface Answer {
    readonly session_id: number | null;
    readonly output: string;
  }

  for (const [name, start] of [
    ['this machine', undefined],
    ['our exec-server', startOwnServer],
    ...ifCodex(['the real codex exec-server @all', startCodexServer] as const),
  ] as const) {
    it(`serves the tool of the reference on ${name}`, async () => {
      const server = await start?.();
      try {
        const args = ['--compatible', '--cwd', programs.folder, ...(server ? ['--connect', server.url] : [])];
        const { client } = await programs.start({ args });
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          ['unified_exec'],
        );
        const call = async (input: object) =>
          JSON.parse(
            textOf(await client.callTool({ name: 'unified_exec', arguments: { ...input } })),
          ) as Answer;
        // A call lasts for its whole time, and returns the output of that time.
        let output = '';
        const untilSaid = async (expected: string) => {
          while (!output.includes(expected)) {
            output += (await call({ session_id: 0, input_chunks: [], timeout_ms: 100 })).output;
          }
        };
        const chunks = ['/bin/sh', '-c', 'pwd; read line; echo "got $line"; read more'];
        const begun = await call({ input_chunks: chunks, timeout_ms: 100 });
        assert.equal(begun.session_id, 0);
        ({ output } = begun);
        await untilSaid(programs.folder);
        ({ output } = await call({ session_id: 0, input_chunks: ['one', 'two\n'], timeout_ms: 100 }));
        await untilSaid('got one two');
      } finally {
        await server?.stop();
      }
    });
  }

  it('does not begin without its machine', async () => {
    await assert.rejects(programs.start({ args: ['--compatible', '--', '/no/such/program'] }));
  });
});
