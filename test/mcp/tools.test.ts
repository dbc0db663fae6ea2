import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Client } from '@modelcontextprotocol/client';

import { createAgentTools, backendHost } from '../../src/agent/index.js';
import { toolDefinitions } from '../../src/agent/definitions.js';
import type { AgentTools } from '../../src/agent/tool.js';
import { LocalBackend } from '../../src/local/index.js';
import { serveMcpOverHttp, type McpHttpServer } from '../../src/mcp/index.js';
import { ifCodex, startCodexServer } from '../support/codexServer.js';
import { startOwnServer, type RunningServer } from '../support/execServer.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { connectHttp, ERAS } from './clients.js';
import { useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

/** A client of a server with the real tools, and a folder on the machine that they run on. */
interface Bench {
  readonly client: Client;
  readonly folder: string;
}

/** Tests that hold for every client in every place, whatever lies between. */
function behavesLikeTools(bench: () => Bench, { codex = false } = {}): void {
  const call = (name: string, args: Readonly<Record<string, unknown>> = {}) =>
    callTool(bench().client, name, args);
  const pidIn = async (name: string) => {
    const file = path.join(bench().folder, name);
    await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').endsWith('\n'));
    return Number(fs.readFileSync(file, 'utf8'));
  };

  it('lists all tools', async () => {
    const { tools } = await bench().client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolDefinitions.map(({ name }) => name),
    );
  });

  it('tells models how to use them', () => {
    assert.match(bench().client.getInstructions() ?? '', /exec_command/);
  });

  it('runs a command to its end', async () => {
    const reply = await call('exec_command', { cmd: 'pwd; echo oh >&2; exit 3', workdir: bench().folder });
    assert.equal(reply.isError, false);
    assert.equal(reply.state, 'exited with code 3');
    assert.match(reply.output, new RegExp(`^${bench().folder}$`, 'm'));
    assert.match(reply.output, /^oh$/m);
  });

  it('types into one that runs, waits for what it says, and reads that again', async () => {
    const begun = await call('exec_command', {
      argv: ['/bin/sh', '-c', 'while read line; do echo "got $line"; done; echo over'],
      [codex ? 'tty' : 'stdin']: true,
      yield_time_ms: 0,
    });
    // Whether it reads already is a race.
    assert.match(begun.state, /^running(?:; it (?:reads its standard input|waits for a line))?$/);
    const { session } = begun;
    await call('write_stdin', { session, chars: 'one\n' });
    const waited = await call('wait_for', { session, pattern: '^got o.e', timeout_ms: 20_000 });
    assert.match(waited.text, /got one/);
    await call('write_stdin', { session, chars: 'two\n', close: true, yield_time_ms: 20_000 });
    const ended = await call('wait_for', { session, exit: true, timeout_ms: 20_000 });
    assert.equal(ended.state, 'exited with code 0');
    const read = await call('read_output', { session, cursor: '0' });
    assert.match(read.output, /got one\n(.*\n)*got two\n(.*\n)*over\n?$/);
    const found = await call('read_output', { session, search: '^got t' });
    assert.match(found.text, /got two/);
    assert.doesNotMatch(found.text, /got one/);
  });

  it('lists sessions, and stops them with what they have started', async () => {
    const begun = await call('exec_command', {
      cmd: 'sleep 1000 & echo $! > child; wait',
      workdir: bench().folder,
      title: 'sleepers',
      yield_time_ms: 0,
    });
    const child = await pidIn('child');
    const list = await call('list_sessions');
    assert.match(list.text, /sleepers|sleep 1000/);
    assert.equal(await isRunning(child), true);
    // The real server loses sight of the child when an interrupt has ended the command.
    const stopped = await call('stop_session', { session: begun.session, force: codex });
    assert.equal(stopped.isError, false, stopped.text);
    await until(async () => !(await isRunning(child)));
    const after = await call('read_output', { session: begun.session });
    assert.match(after.state, /^(ended by|exited with)/);
  });

  if (!codex) {
    it('sends signals', async () => {
      const { session } = await call('exec_command', {
        cmd: "trap 'echo caught; exit 5' USR1; echo ready; while :; do sleep 0.05; done",
        yield_time_ms: 0,
      });
      await call('wait_for', { session, pattern: 'ready' });
      const sent = await call('send_signal', { session, signal: 'SIGUSR1' });
      assert.equal(sent.isError, false, sent.text);
      const ended = await call('wait_for', { session, exit: true });
      assert.equal(ended.state, 'exited with code 5');
    });
  }

  it('says what is wrong with a call', async () => {
    const reply = await call('exec_command', { cmd: 'true', argv: ['true'] });
    assert.equal(reply.isError, true);
    const unknown = await call('read_output', { session: 4711 });
    assert.equal(unknown.isError, true);
    assert.match(unknown.text, /4711/);
  });

  it('shortens what is too long for a model, and has the rest', async () => {
    const reply = await call('exec_command', {
      cmd: 'i=0; while [ $i -lt 20000 ]; do echo "line number $i"; i=$((i+1)); done',
      max_output_tokens: 500,
    });
    assert.ok(reply.output.length < 4_000, String(reply.output.length));
    const cursor = /read_output cursor="([^"]+)"/.exec(reply.output)?.[1] ?? assert.fail(reply.output);
    const rest = await call('read_output', { session: reply.session, cursor, max_output_tokens: 500 });
    assert.match(rest.output, /line number \d+/);
  });

  it('goes on with the process when a call is cancelled', async () => {
    const { session } = await call('exec_command', { cmd: 'echo on; sleep 1000', yield_time_ms: 0 });
    const controller = new AbortController();
    const waiting = callTool(
      bench().client,
      'wait_for',
      { session, exit: true },
      { signal: controller.signal },
    );
    await call('wait_for', { session, pattern: 'on' });
    controller.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal((await call('read_output', { session })).state, 'running');
    await call('stop_session', { session, force: true });
  });
}

describe('The tools of agents over HTTP', () => {
  let backend: LocalBackend;
  let tools: AgentTools;
  let server: McpHttpServer;
  let client: Client;
  const programs = useMcpPrograms();

  for (const era of ERAS) {
    describe(`for clients of ${era}${era === 'legacy' ? '' : ' @all'}`, () => {
      beforeEach(async () => {
        backend = new LocalBackend();
        const { folder: cwd } = programs;
        const here = { id: 'local', label: 'this machine', backend, cwd };
        tools = createAgentTools({ host: backendHost({ environments: [here] }) });
        server = await serveMcpOverHttp({ tools, token: 'secret', port: 0, version: '1.2.3' });
        client = await connectHttp({ url: server.url, token: 'secret', era });
      });
      afterEach(async () => {
        await client.close();
        await server.dispose();
        tools.dispose();
        await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
      });

      behavesLikeTools(() => ({ client, folder: programs.folder }));

      it('keeps the sessions of two agents apart, and shows each the others if asked', async () => {
        const other = await connectHttp({ url: server.url, token: 'secret', era, name: 'other' });
        const mine = await callTool(client, 'exec_command', { cmd: 'echo mine' });
        const theirs = await callTool(other, 'exec_command', { cmd: 'echo theirs' });
        assert.notEqual(mine.session, theirs.session);
        const own = await callTool(other, 'list_sessions');
        assert.match(own.text, /echo theirs/);
        assert.doesNotMatch(own.text, /echo mine/);
        const all = await callTool(other, 'list_sessions', { all: true });
        assert.match(all.text, /echo mine/);
        assert.match(all.text, /tester/);
        await other.close();
      });

      it('waits for a port', async () => {
        const server =
          "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
        const { session } = await callTool(client, 'exec_command', {
          argv: [process.execPath, '-e', server],
          yield_time_ms: 0,
        });
        const { output } = await callTool(client, 'wait_for', { session, pattern: '^\\d+$' });
        const port = Number(output);
        const reply = await callTool(client, 'wait_for', { session, port });
        assert.equal(reply.isError, false, reply.text);
        assert.match(reply.text, new RegExp(`^Condition: port met: ${port} is listened on`, 'm'));
      });
    });
  }
});

describe('exec-server mcp', () => {
  const programs = useMcpPrograms();
  let client: Client;

  for (const era of ERAS) {
    describe(`on this machine, for clients of ${era}${era === 'legacy' ? ' @all' : ''}`, () => {
      beforeEach(async () => ({ client } = await programs.start({ era })));
      behavesLikeTools(() => ({ client, folder: programs.folder }));
    });
  }

  it("opens no pager, whatever the user's variables say", async () => {
    const pager = 'sh -c "echo a pager; exec sleep 1000"';
    ({ client } = await programs.start({ env: { PAGER: pager, GIT_PAGER: pager } }));
    const commit = 'git -c user.name=me -c user.email=me@here commit --quiet --allow-empty -m first';
    await callTool(client, 'exec_command', { cmd: `git init --quiet . && ${commit}` });
    for (const tty of [true, false]) {
      const reply = await callTool(client, 'exec_command', { cmd: 'git log', tty });
      assert.equal(reply.state, 'exited with code 0', reply.text);
      assert.match(reply.output, /^ {4}first$/m);
    }
  });

  for (const [name, start, codex] of [
    ['our exec-server', startOwnServer, false],
    ...ifCodex(['the real codex exec-server @all', startCodexServer, true] as const),
  ] as const) {
    describe(`on ${name}`, () => {
      let server: RunningServer;
      beforeEach(async () => {
        server = await start();
        ({ client } = await programs.start({ args: ['--connect', server.url, '--cwd', programs.folder] }));
      });
      afterEach(() => server.stop());
      behavesLikeTools(() => ({ client, folder: programs.folder }), { codex });
    });
  }
});
