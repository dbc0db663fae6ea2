import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { root } from '../rig/paths.js';
import { codexSandbox, entry, special, WORKSPACE_WRITE } from '../support/codexSandbox.js';
import { asRoot, describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { usePrograms } from './program.js';
import type { RawClient } from './rawClient.js';

/** Declares a test where the tool can run: not every machine has all of them. */
const ifRuns = (...[program = '', ...args]: readonly string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? it : (): undefined => undefined;

const BY_NODE = (script: string) => `node -e '${script}'`;

describeOnLinux('In the sandbox of the real client', () => {
  const programs = usePrograms();
  let client: RawClient;
  let work: string;
  let temporary: string;
  let count = 0;

  beforeEach(async () => {
    [work, temporary] = ['work', 'tmp'].map((name) => path.join(programs.folder, name)) as [string, string];
    fs.mkdirSync(work);
    fs.mkdirSync(temporary);
    client = programs.run(['--listen', 'stdio']).client();
    await client.handshake();
  });

  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: programs.folder,
    TMPDIR: temporary,
    npm_config_cache: path.join(temporary, 'npm'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
    PYENV_VERSION: process.env['PYENV_VERSION'] ?? '',
  });

  const params = (
    script: string,
    { cwd = work, ...some }: { cwd?: string; entries?: readonly object[] } = {},
  ) => ({
    processId: String((count += 1)),
    argv: ['/bin/bash', '-c', script],
    cwd: `file://${cwd}`,
    env: env(),
    tty: false,
    sandbox: codexSandbox([cwd], some),
  });

  /** Expects that a script ends with 0. @returns all of its output. */
  const run = async (script: string, some?: Parameters<typeof params>[1]) => {
    const start = params(script, some);
    await client.request('process/start', start);
    const { params: exited } = await client.told(start.processId, 'exited');
    await client.told(start.processId, 'closed');
    const output = client.output(start.processId);
    assert.equal(exited['exitCode'], 0, output);
    return output;
  };

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
      fs.writeFileSync(path.join(work, name), text);
    }
  };

  /** Outside of the sandbox. */
  const prepare = (script: string) =>
    execFileSync('/bin/bash', ['-ec', script], { cwd: work, env: env(), stdio: ['ignore', 'pipe', 'pipe'] });

  it('npm ci installs from a cache, with scripts that start programs @all', async () => {
    write({
      'left/package.json': JSON.stringify({
        name: 'left',
        version: '1.0.0',
        scripts: { postinstall: 'node made.js' },
      }),
      'left/made.js': `require('child_process').execFileSync('touch', ['made'])`,
      'package.json': JSON.stringify({ name: 'web', version: '1.0.0', dependencies: { left: '1.0.0' } }),
    });
    prepare('npm pack ./left && npm cache add ./left-1.0.0.tgz');
    const integrity = createHash('sha512')
      .update(fs.readFileSync(path.join(work, 'left-1.0.0.tgz')))
      .digest('base64');
    const left = {
      version: '1.0.0',
      resolved: 'https://registry.npmjs.org/left/-/left-1.0.0.tgz',
      integrity: `sha512-${integrity}`,
      hasInstallScript: true,
    };
    const packages = {
      '': { name: 'web', version: '1.0.0', dependencies: { left: '1.0.0' } },
      'node_modules/left': left,
    };
    write({
      'package-lock.json': JSON.stringify({ name: 'web', version: '1.0.0', lockfileVersion: 3, packages }),
    });
    await run('npm ci --offline --no-audit --no-fund && ls node_modules/left/made');
  });

  it('tsc compiles, and mocha runs the result @all', async () => {
    const bin = path.join(root, 'node_modules', '.bin');
    write({
      'sum.test.ts': `declare function it(title: string, test: () => void): void;\nit('adds', () => { if (1 + 1 !== 2) throw 0; });\n`,
    });
    assert.match(await run(`${bin}/tsc sum.test.ts && ${bin}/mocha sum.test.js`), /1 passing/);
  });

  ifRuns('pytest', '--version')('pytest runs, with a temporary folder @all', async () => {
    write({
      'test_sum.py': 'def test_sum(tmp_path):\n  (tmp_path / "x").write_text("1")\n  assert 1 + 1 == 2\n',
    });
    assert.match(await run('pytest -q'), /1 passed/);
  });

  ifRuns('gcc', '--version')('make runs compilers side by side @all', async () => {
    write({
      Makefile: 'all: a b c d\n\t./a && ./b && ./c && ./d\n%: %.c\n\tgcc -o $@ $<\n',
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [`${name}.c`, 'int main(void) { return 0; }\n']),
      ),
    });
    await run('make -j4');
  });

  it('git reads a repository, its parent and its worktree, and writes what it may @all', async () => {
    prepare(
      'git init -q -b main && echo 1 >file && git add file && git commit -qm one && git worktree add -q ../tree',
    );
    write({ 'sub/new': '' });
    assert.match(
      await run('git status --short; git log --format=%s; ! git commit -qm two --allow-empty 2>/dev/null'),
      /^\?\? sub\/\none\n$/,
    );
    assert.match(
      await run('git status --short .; git log --format=%s', { cwd: path.join(work, 'sub') }),
      /one\n$/,
    );
    const cwd = path.join(programs.folder, 'tree');
    assert.match(await run('git status --short; git log --format=%s', { cwd }), /^one\n$/);
    const entries = [...WORKSPACE_WRITE, entry(path.join(work, '.git'), 'write')];
    assert.match(
      await run('git commit -qm two --allow-empty && git log --format=%s', { cwd, entries }),
      /^two\none\n$/,
    );
  });

  it('a workspace can be reached by a link @all', async () => {
    const link = path.join(programs.folder, 'link');
    fs.symlinkSync(work, link);
    assert.equal(await run('touch made && ! mkdir .git 2>/dev/null && pwd', { cwd: link }), `${work}\n`);
    assert.ok(fs.existsSync(path.join(work, 'made')));
  });

  const works: Readonly<Record<string, readonly [script: string, output: string]>> = {
    'spawnSync of Node': [
      BY_NODE(
        'const c = require("child_process"); console.log(c.spawnSync("echo", ["hi"]).error, String(c.execFileSync("echo", ["hi"])))',
      ),
      'undefined hi\n\n',
    ],
    'a pair of sockets': [
      `python3 -c 'import socket; a, b = socket.socketpair(); a.send(b"hi"); print(b.recv(9))'`,
      `b'hi'\n`,
    ],
    'multiprocessing of Python': [
      `python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))'`,
      '[1, 2]\n',
    ],
    'a named pipe': ['mkfifo pipe && (echo hi >pipe &) && cat pipe', 'hi\n'],
  };
  for (const [what, [script, output]] of Object.entries(works)) {
    it(`${what} works @all`, async () => {
      assert.equal(await run(script), output);
    });
  }

  it('a socket cannot be bound in the temporary folder, as in that of Codex @all', async () => {
    const bind =
      'require("net").createServer().on("error", (e) => console.log(e.code)).listen(process.env.TMPDIR + "/s")';
    assert.equal(await run(BY_NODE(bind)), 'EPERM\n');
  });

  it('a protected folder that is a link is refused by name, with what to do @all', async () => {
    fs.mkdirSync(path.join(work, 'real'));
    fs.symlinkSync('real', path.join(work, '.git'));
    const [, message] = await client.refused('process/start', params('true'));
    assert.match(
      message,
      new RegExp(`${path.join(work, '.git')} has to stay read-only, but it is a link.*Put the`),
    );
  });

  asRoot(
    'a workspace of another user, and a folder that cannot be entered, are no failure @all',
    async () => {
      const inner = path.join(work, 'locked', 'in');
      fs.mkdirSync(inner, { recursive: true });
      fs.chownSync(work, 1, 1);
      fs.chownSync(path.dirname(inner), 1, 1);
      fs.chmodSync(path.dirname(inner), 0o700);
      const entries = [...WORKSPACE_WRITE, entry(path.join(inner, '.git'), 'read'), entry(inner, 'write')];
      assert.equal(await run('echo runs; ! touch made 2>/dev/null', { entries }), 'runs\n');
    },
  );

  it('an inner folder keeps what its entry says, in a writable folder and in a read-only one @all', async () => {
    fs.mkdirSync(path.join(work, 'read/write'), { recursive: true });
    const at = (name: string, access: string) => entry(path.join(work, name), access);
    const entries = [
      at('read/write', 'write'),
      special('root', 'read'),
      at('read', 'read'),
      at('.', 'write'),
    ];
    await run('touch a read/write/b; ! touch read/c 2>/dev/null', { entries });
    assert.deepEqual(
      ['a', 'read/c', 'read/write/b'].map((name) => fs.existsSync(path.join(work, name))),
      [true, false, true],
    );
  });

  it('protected folders that are missing are gone after the end, in the workspace and in /tmp @all', async () => {
    const held = () => (fs.existsSync('/tmp/.git') ? fs.readdirSync('/tmp/.git') : []);
    const before = held();
    const made = await run(
      'ls -d .git .agents .codex .aws /tmp/.git; ! touch .git/x /tmp/.git/x 2>/dev/null; ls /tmp/.git',
    );
    assert.match(made, /^\.agents\n\.aws\n\.codex\n\.git\n\/tmp\/\.git\n/);
    const [own = ''] = made
      .split('\n')
      .filter((name) => name.startsWith('exec-sessions-') && !before.includes(name));
    await until(
      () => [...fs.readdirSync(work), ...held().filter((name) => name === own)],
      (left) => left.length === 0,
    );
  });
});
