import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';

import type { Client } from '@modelcontextprotocol/client';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { LocalBackend, TcpPeers } from '../../src/local/index.js';
import { type McpHttpServer, serveMcpOverHttp } from '../../src/mcp/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';
import { connectHttp, ERAS, type Era, textOf } from './clients.js';

const TOKEN = 'secret';
const NAME = 'Claude Code';

/** A window of a client: a process of its own. */
class Window {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(url: string, era: Era) {
    const program = path.join(import.meta.dirname, 'clientProgram.ts');
    this.#process = spawn(process.execPath, ['--import', 'tsx', program, url, TOKEN, era, NAME], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.#process;
    assert.ok(stdout);
    this.#answers = readline.createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async call(name: string, input: object): Promise<string> {
    this.#process.stdin?.write(`${JSON.stringify({ name, arguments: input })}\n`);
    const { value } = (await this.#answers.next()) as { readonly value: string };
    return JSON.parse(value) as string;
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGKILL');
      await ended;
    }
  }
}

describe('Two windows of one client', () => {
  for (const era of ERAS) {
    describe(`that speaks ${era}${era === 'legacy' ? '' : ' @all'}`, () => {
      const clock = new FakeClock(1_000_000);
      const backend = new LocalBackend();
      let tools: ReturnType<typeof createAgentTools>;
      let server: McpHttpServer;
      let windows: readonly [Window, Window];

      before(async () => {
        const environment = { id: 'local', label: 'this machine', backend, shell: '/bin/bash' };
        tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
        server = await serveMcpOverHttp({
          tools,
          token: TOKEN,
          port: 0,
          version: '1.2.3',
          clock,
          peers: new TcpPeers(),
        });
        windows = [new Window(server.url, era), new Window(server.url, era)];
      });

      after(async () => {
        await Promise.all(windows.map((window) => window.close()));
        await server.dispose();
        tools.dispose();
        await backend.shutdown();
      });

      it('have sessions of their own, and the one takes over what the other leaves', async () => {
        const [one, two] = windows;
        const started = await one.call('exec_command', { argv: ['cat'], stdin: true, yield_time_ms: 0 });
        assert.match(started, /^Session 1: cat\n/);
        assert.match(
          await two.call('list_sessions', {}),
          /^0 sessions of yours, 0 running\.\n1 session of other agents, 1 running/,
        );
        // Each call may come on a connection of its own.
        assert.match(await one.call('list_sessions', {}), /^1 session of yours, 1 running\.\n/);
        const typed = await two.call('write_stdin', { session: 1, chars: 'x\n' });
        assert.match(typed, /^Session 1 of another Claude Code: cat\n/);
        assert.match(
          await one.call('list_sessions', {}),
          /^Warning: Another Claude Code \(2\) has called write_stdin for session 1 \(cat\)\.\n/,
        );
        await one.close();
        await until(async () => {
          clock.advance(5_000);
          return (await two.call('list_sessions', {})).includes('left by another Claude Code');
        });
        assert.match(
          await two.call('read_output', { session: 1 }),
          /^Warning: session 1 \(cat\) was left by Claude Code \d+ s ago, and is yours now\. Output that it has read is not repeated: read_output cursor="0" has it\.\nSession 1: cat\n/,
        );
      });
    });
  }
});

describe('A client that reconnects', () => {
  const backend = new LocalBackend();
  let tools: ReturnType<typeof createAgentTools>;
  let server: McpHttpServer;
  const clients: Client[] = [];

  before(async () => {
    const environment = { id: 'local', label: 'this machine', backend, shell: '/bin/bash' };
    tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
    server = await serveMcpOverHttp({ tools, token: TOKEN, port: 0, version: '1', peers: new TcpPeers() });
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.dispose();
    tools.dispose();
    await backend.shutdown();
  });

  const connect = async (name: string) => {
    const client = await connectHttp({ url: server.url, token: TOKEN, era: 'legacy', name });
    clients.push(client);
    return client;
  };
  const list = async (client: Client) => textOf(await client.callTool({ name: 'list_sessions' }));

  it('without a goodbye sees the sessions of its last MCP session as left, and not those of other clients', async () => {
    const start = { name: 'exec_command', arguments: { argv: ['cat'], stdin: true, yield_time_ms: 0 } };
    const [lost, other, beside] = [await connect(NAME), await connect('Other'), await connect(NAME)];
    for (const client of [lost, other, beside]) {
      await client.callTool(start);
    }
    // The stream of the one is cut, and a process may well have two clients that hold theirs open.
    await lost.close();
    const next = await connect(NAME);
    await until(
      () => list(next),
      (seen) => seen.includes('left by another Claude Code'),
    );
    assert.match(
      await list(next),
      /^0 sessions of yours, 0 running\.\n1 session left by agents that have gone\./,
    );
    assert.match(await list(next), /^2 sessions of other agents, 2 running: all=true lists them\.$/m);
    assert.match(
      textOf(await next.callTool({ name: 'read_output', arguments: { session: 1 } })),
      /^Warning: session 1 \(cat\) was left by Claude Code .* ago, and is yours now\.\n/,
    );
    assert.match(await list(beside), /^1 session of yours, 1 running\.\n/);
  });
});
