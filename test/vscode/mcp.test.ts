import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { mock } from 'node:test';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

import { toolDefinitions } from '../../src/agent/definitions.js';
import { TasksInMemory } from '../../src/core/index.js';
import {
  offerMcpServer,
  type McpApi,
  type McpServerDefinitionProvider,
  type McpStdioServerDefinition,
  type OfferedServer,
} from '../../src/entry/mcpDefinitions.js';
import { loadMcp, McpServer } from '../../src/vscode/agents/mcpServer.js';
import { CommandId } from '../../src/vscode/commands/commandIds.js';
import { asRun } from '../support/asRun.js';
import { RawMcpClient } from '../support/mcpHttp.js';
import { until } from '../support/until.js';
import { extension, Fixture, setSetting } from './fixture.js';

/** Ends a server once another one has found its port taken. */
function endOnceMissed(old: net.Server): void {
  const { createServer } = net;
  const looks = mock.method(net, 'createServer', () => {
    const look = createServer();
    return look.once('error', () => {
      looks.mock.restore();
      old.close();
    });
  });
}

describe('the MCP server of a workspace', () => {
  let fixture: Fixture;
  const more: McpServer[] = [];

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(async () => {
    for (const server of more.splice(0)) {
      await server.stop();
      server.dispose();
    }
    await fixture.services.mcpServer.stop();
    await fixture.dispose();
    await setSetting('agents.enabled', undefined);
  });

  const server = () => fixture.services.mcpServer;

  /** The server of the same workspace after VS Code has been started again. */
  const afterRestart = async (portPatienceMs = 600_000): Promise<McpServer> => {
    await server().stop();
    return another(portPatienceMs);
  };

  /** The server of another window of the same workspace. */
  const another = (portPatienceMs: number): McpServer => {
    const { agentTools, messages, settings } = fixture.services;
    const next = new McpServer({
      tools: agentTools,
      taskStore: new TasksInMemory(),
      serve: loadMcp,
      memento: fixture.memento,
      secrets: fixture.secrets,
      enabled: () => settings.get('agentsEnabled'),
      isTrusted: () => fixture.trusted,
      version: '1.2.3',
      messages,
      portPatienceMs,
      log: vscode.window.createOutputChannel('Exec Sessions Suite', { log: true }),
    });
    more.push(next);
    return next;
  };

  const copy = async (label: string): Promise<string> => {
    fixture.user.picks.push(label);
    await fixture.commands[CommandId.copyMcpConfiguration]();
    return vscode.env.clipboard.readText();
  };

  const refused = async (url: string, token?: string): Promise<number> => {
    const { status } = await new RawMcpClient(url, token).post({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
    });
    return status;
  };

  it('is not needed to connect an agent: the command line does that, in a session', async () => {
    fixture.user.picks.push('Cursor Agent');
    await fixture.commands[CommandId.connectAgent]();
    const [session] = fixture.list.sessions;
    assert.deepEqual(session?.request.argv.slice(1), ['connect', 'cursor-agent']);
  });

  it('lets in clients with the token, and shows their names (SECURITY.md: Programs with the MCP token)', async () => {
    const { url, token } = await server().start(true);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.match(token, /^[\w-]{43}$/, '32 bytes');
    assert.equal(await refused(url), 401);
    assert.equal(await refused(url, `${token}x`), 401);
    const client = new RawMcpClient(url, token);
    await client.initialize('Some Agent');
    assert.deepEqual(
      await client.listTools(),
      toolDefinitions.map(({ name }) => name),
    );
    const answer = await client.callTool('exec_command', { cmd: 'echo over MCP' });
    assert.match(answer, /^over MCP$/m);
    assert.deepEqual(fixture.list.sessions.at(-1)?.request.origin, { kind: 'agent', name: 'Some Agent' });
  });

  it('is copied for each client, with a word about the token', async () => {
    const { argv, input } = asRun('claude', await copy('Claude Code'));
    assert.deepEqual(argv, ['mcp', 'add-json', 'exec-sessions', '-']);
    const server = JSON.parse(input) as { url: string; headers: { Authorization: string } };
    const { url } = server;
    const token = server.headers.Authorization.replace('Bearer ', '');
    assert.deepEqual(server, { type: 'http', url, headers: { Authorization: `Bearer ${token}` } });
    await new RawMcpClient(url, token).initialize('Claude Code');
    const said = await fixture.user.hears(
      /It contains the token, with which anybody can run commands on this machine as you/,
    );
    assert.ok(!said.message.includes(token));
    assert.ok(
      (await copy('Codex')).startsWith(
        `[mcp_servers.exec-sessions]\nurl = "${url}"\nhttp_headers = { "Authorization" = "Bearer ${token}" }\ntool_timeout_sec = 300\n`,
      ),
    );
    assert.deepEqual(JSON.parse(await copy('Another Program')), {
      mcpServers: {
        'exec-sessions': { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
      },
    });
    fixture.user.picks.push(undefined);
    await vscode.env.clipboard.writeText('mine');
    await fixture.commands[CommandId.copyMcpConfiguration]();
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
  });

  it('does not run before it is wanted, and not by itself later if only VS Code wanted it', async () => {
    assert.equal(server().running, false);
    await server().checkAllowed();
    assert.equal(server().running, false);
    await server().start(false);
    const next = await afterRestart();
    await next.checkAllowed();
    assert.equal(next.running, false);
  });

  it('is where it was, with the same token, when VS Code starts again', async () => {
    const before = await server().start(true);
    const next = await afterRestart();
    assert.equal(next.running, false);
    await next.checkAllowed();
    assert.equal(next.running, true);
    assert.deepEqual(await next.start(false), before);
    assert.equal(fixture.user.said.length, 0);
  });

  it('waits a little for its port: the extension host before a reload may still have it', async () => {
    const before = await server().start(true);
    await server().stop();
    const old = net.createServer().listen(Number(new URL(before.url).port), '127.0.0.1');
    await until(() => old.listening);
    const next = await afterRestart();
    endOnceMissed(old);
    await next.checkAllowed();
    assert.deepEqual(await next.start(false), before);
    assert.equal(fixture.user.said.length, 0);
  });

  it('says so if another program has its port meanwhile', async () => {
    const before = await server().start(true);
    await server().stop();
    const other = net.createServer().listen(Number(new URL(before.url).port), '127.0.0.1');
    try {
      await until(() => other.listening);
      const next = await afterRestart(0);
      await next.checkAllowed();
      assert.notEqual((await next.start(false)).url, before.url);
      const said = await fixture.user.hears(/Another program or window uses port/);
      assert.equal(said.actions[0], 'Copy MCP Configuration…');
    } finally {
      other.close();
    }
  });

  it('has another token where another program has heard the old one', async () => {
    const before = await server().start(true);
    await server().stop();
    const heard: (string | undefined)[] = [];
    const other = http
      .createServer((request, response) => {
        heard.push(request.headers.authorization);
        response.end();
      })
      .listen(Number(new URL(before.url).port), '127.0.0.1');
    try {
      await until(() => other.listening);
      await new RawMcpClient(before.url, before.token).post({});
      assert.deepEqual(heard, [`Bearer ${before.token}`]);
      const next = await afterRestart(0);
      await next.checkAllowed();
      const { url, token } = await next.start(false);
      assert.notEqual(token, before.token);
      assert.equal(await refused(url, before.token), 401);
      assert.deepEqual([...fixture.secrets.values.values()], [token], 'the old one is kept nowhere');
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  it('waits for its port whoever starts it, so that nobody moves it without a word', async () => {
    const before = await server().start(true);
    await server().stop();
    const old = net.createServer().listen(Number(new URL(before.url).port), '127.0.0.1');
    await until(() => old.listening);
    const next = await afterRestart();
    endOnceMissed(old);
    const checked = next.checkAllowed();
    assert.deepEqual(await next.start(false), before);
    await checked;
    assert.equal(fixture.user.said.length, 0);
  });

  it('can be stopped while it waits for its port, and does not start after all', async () => {
    const before = await server().start(true);
    await server().stop();
    const old = net.createServer().listen(Number(new URL(before.url).port), '127.0.0.1');
    try {
      await until(() => old.listening);
      const next = await afterRestart(600_000);
      const checked = next.checkAllowed();
      const wanted = next.start(false);
      wanted.catch(() => undefined);
      assert.equal(await next.stop(), true);
      await next.forget();
      await assert.rejects(wanted, /stopped before it was ready/);
      await checked;
      assert.equal(next.running, false);
      await next.checkAllowed();
      assert.equal(next.running, false);
    } finally {
      old.close();
    }
  });

  it('is at the same port when it is stopped and started at once, and never twice', async () => {
    const before = await server().start(true);
    for (let round = 0; round < 5; round += 1) {
      const stopped = server().stop();
      const [one, two] = await Promise.all([server().start(false), server().start(true)]);
      assert.deepEqual([one, two], [before, before]);
      await stopped;
    }
    await server().stop();
    await assert.rejects(new RawMcpClient(before.url, before.token).post({}));
  });

  it('serves no client once VS Code closes, whatever is under way', async () => {
    const next = await afterRestart();
    const wanted = next.start(true);
    wanted.catch(() => undefined);
    next.dispose();
    await assert.rejects(wanted, /could not be started/);
    await assert.rejects(next.start(true), /VS Code is closing/);
    await next.checkAllowed();
    assert.equal(next.running, false);
  });

  it('ends when another window of the workspace makes a new token', async () => {
    await server().start(true);
    const other = another(0);
    await other.renewToken();
    await fixture.user.hears(/another window of this workspace has made a new token/);
    assert.equal(server().running, false);
  });

  it('leaves the server of another window of the workspace alone when it starts', async () => {
    const first = await server().start(true);
    const other = another(0);
    await other.startIfKnown();
    const second = await other.start(false);
    assert.notEqual(second.token, first.token);
    await fixture.user.hears(/Another program or window/);
    await new RawMcpClient(first.url, first.token).initialize('first');
    await new RawMcpClient(second.url, second.token).initialize('second');
    assert.equal(fixture.user.said.length, 1);
  });

  it('has no token to renew before it has run', async () => {
    await fixture.commands[CommandId.newMcpToken]();
    await fixture.user.hears(/has no token yet/);
    assert.equal(fixture.secrets.values.size, 0);
  });

  it('shuts out the old token when it gets a new one', async () => {
    const before = await server().start(true);
    await fixture.commands[CommandId.newMcpToken]();
    const after = await server().start(false);
    assert.equal(after.url, before.url);
    assert.notEqual(after.token, before.token);
    assert.equal(await refused(after.url, before.token), 401);
    assert.equal(fixture.secrets.values.size, 1, 'the old one is kept nowhere');
  });

  it('stops, and stays so, when it is told to', async () => {
    const { url, token } = await server().start(true);
    await fixture.commands[CommandId.stopMcpServer]();
    await assert.rejects(new RawMcpClient(url, token).post({}));
    const next = await afterRestart();
    await next.checkAllowed();
    assert.equal(next.running, false);
    await fixture.commands[CommandId.stopMcpServer]();
    await fixture.user.hears(/does not run; there is nothing to stop/);
  });

  it('does not run while agents are switched off, and comes back', async () => {
    await server().start(true);
    await setSetting('agents.enabled', false);
    await server().checkAllowed();
    assert.equal(server().running, false);
    await assert.rejects(copy('Codex'), /switched off.*execSessions\.agents\.enabled/);
    await setSetting('agents.enabled', undefined);
    await server().checkAllowed();
    assert.equal(server().running, true);
  });

  it('does not run in a workspace that is not trusted', async () => {
    fixture.trusted = false;
    await assert.rejects(copy('Codex'), /not trusted/);
    await server().checkAllowed();
    assert.equal(server().running, false);
  });

  it('has another token in every workspace', async () => {
    const other = new Fixture();
    try {
      const [one, two] = [await server().start(true), await other.services.mcpServer.start(true)];
      assert.notEqual(one.token, two.token);
      assert.notEqual(one.url, two.url);
      assert.equal(await refused(two.url, one.token), 401);
    } finally {
      await other.services.mcpServer.stop();
      await other.dispose();
    }
  });

  describe('is offered to VS Code', () => {
    /** The parts of `vscode` as of 1.101 that are used. */
    const newer = () => {
      const registered: McpServerDefinitionProvider[] = [];
      const api: McpApi = {
        version: '1.101.0',
        McpStdioServerDefinition: class implements McpStdioServerDefinition {
          cwd?: vscode.Uri | undefined;
          readonly argv: readonly string[];
          readonly env: Readonly<Record<string, string>>;

          constructor(_label: string, command: string, args: string[], env: Record<string, string>) {
            this.argv = [command, ...args];
            this.env = env;
          }
        },
        lm: {
          registerMcpServerDefinitionProvider: (id, provider) => {
            assert.equal(id, 'execSessions.mcp');
            registered.push(provider);
            return new vscode.Disposable(() => registered.pop());
          },
        },
      };
      return { api, registered };
    };

    /** The server as the extension offers it. */
    const offered = (): OfferedServer => ({
      get allowed() {
        return server().allowed;
      },
      onDidChangeAllowed: server().onDidChangeAllowed,
      program: path.join(extension().extensionPath, 'dist', 'exec-server.js'),
      version: '1.2.3',
    });

    it('as a program, which answers', async () => {
      const { api, registered } = newer();
      const offer = offerMcpServer(offered(), api);
      const definition = registered[0]?.provideMcpServerDefinitions()[0];
      assert.ok(definition !== undefined && 'argv' in definition && 'env' in definition);
      const [command = '', ...args] = definition.argv as readonly string[];
      const env = { ...process.env, ...(definition.env as Record<string, string>) };
      const work = promisify(execFile)(command, args, { env });
      work.child.stdin?.end(
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n',
      );
      assert.match((await work).stdout, /"serverInfo":\{"name":"exec-sessions"/);
      assert.equal(server().running, false);
      offer.dispose();
      assert.deepEqual(registered, []);
    });

    it('unless agents are switched off, which it is told', async () => {
      const { api, registered } = newer();
      const offer = offerMcpServer(offered(), api);
      const [provider] = registered;
      assert.ok(provider);
      let changes = 0;
      provider.onDidChangeMcpServerDefinitions(() => (changes += 1));
      await setSetting('agents.enabled', false);
      await server().checkAllowed();
      assert.equal(changes, 1);
      assert.deepEqual(provider.provideMcpServerDefinitions(), []);
      offer.dispose();
    });

    it('if that takes such offers', () => {
      offerMcpServer(offered(), {}).dispose();
      offerMcpServer(offered(), { lm: {} }).dispose();
      offerMcpServer(offered(), { lm: vscode.lm }).dispose();
    });
  });
});
