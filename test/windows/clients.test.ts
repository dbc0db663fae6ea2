import assert from 'node:assert/strict';
import path from 'node:path';

import { root } from '../rig/paths.js';
import { ownServer } from '../support/execServer.js';
import { onZ, startWindows, type Windows } from './setup.js';

/**
 * A client on Windows itself. It reaches a server through a command, as an environment of the extension does. It runs a
 * program there, and prints what it saw as one line.
 */
const CLIENT = `
const [remote, ...argv] = process.argv.slice(2);
const { RemoteBackend, commandConnector } = require(remote);
const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
const connect = () => RemoteBackend.connect({ connector: commandConnector({ argv }), clientName: 'windows' });
(async () => {
  const backend = await connect();
  const start = (processId, argv) => backend.start({ processId, argv, cwd: 'C:\\\\', env: {}, envPolicy, tty: false });
  const short = await start('short', ['cmd', '/c', 'echo "a b"& exit 4']);
  const output = await new Promise((resolve) => {
    let text = '';
    short.subscribe({}, (event) => {
      if (event.type === 'output') text += Buffer.from(event.bytes);
      if (event.type === 'closed' || event.type === 'failed') resolve(text);
    });
  });
  const long = await start('long', [process.execPath, '-e', 'setInterval(()=>{},1e3)']);
  const second = await connect();
  const seen = (await second.list()).filter(({ state }) => state === 'running').length;
  second.disconnect();
  const { exited } = await long.stop({ graceMs: { kill: 10000 } });
  console.log(JSON.stringify({ platform: backend.host.platform, output, exit: short.info().exit, seen, exited }));
  backend.disconnect();
  process.exit(0);
})();
`;

/** A program that speaks MCP with a server which it has started, calls one tool, and prints the answer. */
const MCP_CLIENT = `
const server = require('child_process').spawn(process.execPath, [process.argv[2], 'mcp', '--alone'], { stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const clientInfo = { name: 'test', version: '1' };
say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
say({ method: 'notifications/initialized' });
const call = { name: 'exec_command', arguments: { argv: ['cmd', '/c', 'echo "c d"& exit 3'], tty: false } };
say({ id: 2, method: 'tools/call', params: call });
require('readline').createInterface(server.stdout).on('line', (line) => {
  const { id, result } = JSON.parse(line);
  if (id === 2) {
    console.log(result.content[0].text);
    server.stdin.end();
  }
});
`;

describe('Clients on Windows', () => {
  let windows: Windows;

  before(async () => {
    windows = await startWindows();
    windows.write('client.cjs', CLIENT);
    windows.write('mcp.cjs', MCP_CLIENT);
  });

  after(async () => {
    await windows.stop();
  });

  const server = onZ(ownServer);
  const remote = onZ(path.join(root, 'dist/remote.js'));

  for (const [how, args, seen] of [
    ['with standard streams', () => ['--listen', 'stdio'], 0],
    [
      'over a named pipe, through a bridge that starts the server',
      () => ['bridge', '--stdio', '--socket', `${windows.folder}\\x.sock`],
      1,
    ],
  ] as const) {
    it(`use a server ${how}`, async () => {
      const client = await windows.startNode([
        `${windows.folder}\\client.cjs`,
        remote,
        windows.node,
        server,
        ...args(),
      ]);
      const how = await client.exited;
      assert.equal(how, 'exited with 0', client.stderr());
      const saw: unknown = JSON.parse(client.stdout());
      const exit = { exitCode: 4 };
      assert.deepEqual(saw, { platform: 'win32', output: '"a b"\r\n', exit, seen, exited: true });
    });
  }

  it('use the tools over MCP', async () => {
    const client = await windows.startNode([`${windows.folder}\\mcp.cjs`, server]);
    assert.equal(await client.exited, 'exited with 0', client.stderr());
    assert.match(client.stdout(), /"c d"/);
    assert.match(client.stdout(), /exit(?:ed|s|) (?:with )?(?:code )?3\b|code:? 3\b/i);
  });
});
