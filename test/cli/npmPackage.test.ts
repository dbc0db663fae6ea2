import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LocalBackend } from '../../src/local/index.js';
import { runOwned } from '../rig/lifetime.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { root } from '../rig/paths.js';
import { versions } from '../rig/versions.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { collectEvents } from '../support/collect.js';
import { params } from '../support/startParams.js';
import { runLine } from './cliFixture.js';

const GREETING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

describe('The npm package', () => {
  const machine = useMachine();
  let folder = '';
  let packed: readonly string[] = [];
  before(async function () {
    this.timeout(120_000);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-npm-'));
    const at = (...names: string[]) => path.join(folder, ...names);
    await runOwned(process.execPath, [path.join(root, 'scripts/packNpm.mjs'), at('source')], { cwd: root });
    // Nothing of it may need the network, or a file of this user.
    const env = { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true' };
    const npm = (...args: readonly string[]) => runOwned('npm', args, { cwd: folder, env });
    await npm('pack', at('source'), '--pack-destination', folder);
    const file = fs.readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? assert.fail('no package');
    fs.mkdirSync(at('empty'));
    await npm('install', '--prefix', at('empty'), at(file));
    const listing = await runOwned('tar', ['-tzf', at(file)], { cwd: folder });
    packed = listing.trim().split('\n');
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const installed = (...names: string[]) => path.join(folder, 'empty/node_modules', ...names);
  /** @returns the variable with our programs on the PATH, which `env node` finds a Node for. */
  const pathWith = (node: string) => {
    const bin = path.join(machine.folder, 'bin');
    fs.mkdirSync(bin);
    fs.symlinkSync(node, path.join(bin, 'node'));
    return [installed('.bin'), bin, process.env['PATH'] ?? ''].join(':');
  };

  it('has no script, no dependency, and nothing for VS Code alone', () => {
    const manifest = JSON.parse(fs.readFileSync(installed('exec-sessions/package.json'), 'utf8')) as object;
    assert.deepEqual(Object.keys(manifest), [
      ...['name', 'version', 'description', 'license', 'keywords', 'bin', 'engines', 'files'],
    ]);
    assert.deepEqual(
      fs.readdirSync(installed()).filter((name) => !name.startsWith('.')),
      ['exec-sessions'],
    );
    const papers = packed.filter((name) => !name.startsWith('package/dist/')).sort();
    assert.deepEqual(papers, ['package/LICENSE', 'package/README.md', 'package/package.json']);
    assert.ok(packed.includes('package/dist/THIRD-PARTY-NOTICES.txt'));
    const ofVsCode = packed.filter((name) =>
      /\/(?:extension|main|await-server|askpass)\.js$|\.map$/.test(name),
    );
    assert.deepEqual(ofVsCode, []);
  });

  for (const [title, nodeOf] of [
    ['the Node of this run', () => Promise.resolve(process.execPath)] as const,
    ...ifProgram(
      'nodes',
      ...Object.entries(versions.nodes).map(
        ([name, version]) =>
          [
            `Node ${version} @all`,
            async () => path.join((await ensureProgram('nodes')).modules, name, 'bin/node'),
          ] as const,
      ),
    ),
  ]) {
    it(`has the command line, terminals, the bridge and mcp, on ${title}`, async () => {
      const PATH = pathWith(await nodeOf());
      const line = (text: string) =>
        runLine(machine, `unset -f exec-sessions; export PATH='${PATH}'; ${text}`);
      assert.deepEqual(await line('exec-sessions run -- echo here'), {
        stdout: 'here\n',
        stderr: '',
        code: 0,
      });
      const bridge = await line(
        "exec-sessions run --on 'exec-server bridge --stdio --sessions' -- echo there",
      );
      assert.deepEqual(bridge, { stdout: 'there\n', stderr: '', code: 0 });
      const messages = [GREETING, LIST].map((message) => `${JSON.stringify(message)}\n`).join('');
      fs.writeFileSync(path.join(machine.folder, 'messages'), messages);
      const { stdout } = await line('exec-server mcp < messages');
      const [, listed] = stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as { readonly result: { readonly tools?: readonly object[] } });
      assert.ok((listed?.result.tools?.length ?? 0) > 3, stdout.slice(0, 1_000));
      const backend = new LocalBackend();
      const argv = ['exec-sessions', 'run', '--', 'sh', '-c', 'test -t 1 && echo a terminal'];
      const terminal = await backend.start(
        params({ argv, cwd: machine.folder, env: { ...machine.env, PATH }, tty: true }),
      );
      assert.match((await collectEvents(terminal)).stdout, /a terminal/);
      await backend.shutdown();
    });
  }
});
