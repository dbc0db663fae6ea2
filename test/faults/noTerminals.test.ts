import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { describeFailure, isExecError } from '../../src/core/index.js';
import { commandConnector, RemoteBackend } from '../../src/remote/index.js';
import { makeClient, textOf } from '../mcp/clients.js';
import { collectEvents } from '../support/collect.js';
import { makeServerHome, ownServer, type ServerHome } from '../support/execServer.js';

const BINDING = path.join('prebuilds', `${process.platform}-${process.arch}`, 'pty.node');
/** An account that may read only what everybody may; without it, the rights of a file mean nothing to root. */
const NOBODY = 65_534;

const damages: readonly {
  readonly what: string;
  readonly why: RegExp;
  /** Damages the binding, or the folder with everything else. */
  readonly run: (binding: string, dist: string) => void;
}[] = [
  { what: 'is not there', why: /is not installed for this system/, run: (_, dist) => removePty(dist) },
  {
    what: 'is there without its binding',
    why: /is not installed for this system/,
    run: (binding) => fs.rmSync(binding),
  },
  {
    what: 'was built for another C library',
    why: /was built for another system or C library/,
    run: (binding) => {
      const bytes = fs.readFileSync(binding);
      const name = bytes.indexOf('libc.so.6\0');
      assert.ok(name > 0);
      bytes.write('libmusl.1', name);
      fs.writeFileSync(binding, bytes);
    },
  },
  {
    what: 'is no library',
    why: /was built for another system or C library/,
    run: (binding) => fs.writeFileSync(binding, 'version https://git-lfs.github.com/spec/v1\n'),
  },
  {
    what: 'may not be read',
    why: /may not be executed there/,
    run: (binding) => fs.chmodSync(binding, 0),
  },
];

/** Removes node-pty's own code; its binding stays. */
function removePty(dist: string): void {
  fs.rmSync(path.join(dist, 'node-pty.js'));
}

describe('Where node-pty @all', () => {
  let home: ServerHome;
  let backend: RemoteBackend | undefined;
  let dist: string;
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

  beforeEach(() => {
    home = makeServerHome();
    dist = path.join(home.folder, 'dist');
    // A link would be resolved, and what lies beside the real file would be found.
    for (const name of fs.readdirSync(path.dirname(ownServer)).filter((file) => file.endsWith('.js'))) {
      fs.cpSync(path.join(path.dirname(ownServer), name), path.join(dist, name));
    }
    fs.mkdirSync(path.dirname(path.join(dist, BINDING)), { recursive: true });
    fs.copyFileSync(path.join(path.dirname(ownServer), BINDING), path.join(dist, BINDING));
    fs.chmodSync(home.folder, 0o755);
    for (const folder of [home.home, path.join(home.folder, 'tmp')]) {
      fs.chmodSync(folder, 0o777);
    }
  });
  afterEach(async () => {
    await backend?.shutdown({ graceMs: { interrupt: 0 } });
    backend = undefined;
    await home.remove();
  });

  for (const { what, why, run } of damages) {
    it(`${what}, a server claims no terminals, and says in one sentence why there are none`, async () => {
      run(path.join(dist, BINDING), dist);
      const argv = [process.execPath, path.join(dist, 'exec-server.js'), '--listen', 'stdio'];
      const connector = commandConnector({
        argv,
        cwd: home.home,
        env: home.env,
        start: ([program, ...args], { env, ...options }) =>
          Promise.resolve(spawn(program, args, { ...options, ...account, env: { ...env }, stdio: 'pipe' })),
      });
      backend = await RemoteBackend.connect({ connector, clientName: 'x' });
      const { terminals, resize, initialSize, inputMode, closeStdin } = backend.capabilities;
      assert.deepEqual(
        { terminals, resize, initialSize, inputMode, closeStdin },
        { terminals: false, resize: false, initialSize: false, inputMode: false, closeStdin: true },
      );
      const params = { argv: ['/bin/echo', 'pipes'], cwd: home.home, env: {}, metadata: {} };
      const error = await backend.start({ ...params, processId: 't', tty: true }).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      assert.ok(isExecError(error));
      assertOneSentence(describeFailure(error.failure), why);
      assert.match(error.wireMessage, /^terminals are not available: node-pty[^\n/]*$/);
      const process_ = await backend.start({ ...params, processId: 'p', tty: false });
      assert.equal((await collectEvents(process_)).stdout, 'pipes\n');
    });
  }

  it('is not there, agents are told so, too', async () => {
    fs.rmSync(path.join(dist, BINDING));
    const client = makeClient('agent', 'legacy');
    const args = [path.join(dist, 'exec-server.js'), 'mcp', '--alone'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: home.home, env: { ...home.env } }),
    );
    try {
      const call = async (name: string, input: Record<string, unknown>) =>
        textOf(await client.callTool({ name, arguments: input }));
      assertOneSentence(await call('exec_command', { cmd: 'echo hi', tty: true }), /is not installed/);
      assert.match(await call('exec_command', { cmd: 'echo hi' }), /\nhi\n/);
      assert.match(await call('list_sessions', {}), /local \(this machine, the default, without terminals\)/);
    } finally {
      await client.close();
    }
  });

  function assertOneSentence(text: string, why: RegExp): void {
    assert.match(text, /^Terminals are not available [^\n.]*; start the command with pipes\.$/);
    assert.match(text, why);
    assert.doesNotMatch(text, /Require stack|\.js|\.node|prebuilds|\//);
  }
});
