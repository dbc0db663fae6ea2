import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { DoorRecord } from '../../../src/local/index.js';
import { claudeDoorScript } from '../../../src/machine/claudeDoorScript.js';
import { DoorFolder } from '../../../src/machine/index.js';
import { temporaryFolder } from '../../rig/lifetime.js';
import { asUser, giveTo, NOBODY } from '../../support/otherUser.js';
import { asRoot, describeOnLinux } from '../../support/onLinux.js';
import { describeDisks, withDisk } from '../../support/smallDisk.js';
import { until } from '../../support/until.js';

const SHELLS = ['/bin/bash', '/bin/dash', '/bin/zsh', '/usr/bin/fish'].filter((shell) =>
  fs.existsSync(shell),
);
const KINDS = [
  ['bash', true],
  ['sh', false],
] as const;

/** How Claude Code starts its own command. */
const IN_CLAUDE = `source /home/me/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && eval 'echo '"'"'ready'"'"'; read x; exit 3' && pwd -P >| claude-7ab5-cwd`;

describeOnLinux('The script of Claude Code’s door', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let door: DoorFolder;
  let children: ChildProcess[];

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-door-')));
    remove = temporaryFolder(folder);
    children = [];
    for (const [name, hasBash] of KINDS) {
      const script = claudeDoorScript([at('no folder'), at('records')], hasBash);
      fs.writeFileSync(at(name), script, { mode: 0o755 });
    }
    door = new DoorFolder(at('records'), at('bash'));
    assert.deepEqual(door.read(), []);
  });

  afterEach(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    await remove();
  });

  function at(name: string): string {
    return path.join(folder, name);
  }

  const files = () => fs.readdirSync(at('records')).filter((name) => name !== 'server');

  type Outcome = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

  function run(argv: readonly string[], env: Readonly<Record<string, string>>, input = 'in'): Outcome {
    const [file = '', ...args] = argv;
    const { status, signal, stdout, stderr } = spawnSync(file, args, {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
      input,
      encoding: 'utf8',
    });
    return { status: status ?? 128 + (signal === null ? 0 : os.constants.signals[signal]), stdout, stderr };
  }

  /** Starts a command that waits for the end of its input, and resolves once it is there. */
  async function start(name: string, text: string, env: Readonly<Record<string, string>> = {}) {
    const child = spawn(at(name), [text], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: folder, SHELL: '/bin/bash', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    children.push(child);
    await once(child.stdout, 'data');
    return { pid: child.pid ?? assert.fail(), child, ended: once(child, 'exit') };
  }

  const onlyOne = (records: readonly DoorRecord[]): DoorRecord => {
    const [record, ...more] = records;
    assert.deepEqual(more, []);
    return record ?? assert.fail('There is no record.');
  };

  const TEXTS = [
    'true',
    'exit 1',
    'exit 2',
    'cat /; exit 126',
    'no-such-program',
    "exec sh -c 'exit 5'",
    ...['INT', 'KILL', 'SEGV', 'TERM'].map((signal) => `exec sh -c 'kill -${signal} $$'`),
    `printf '%s\\n' "it's" 'say "x"' '$HOME' '\\' 'é'`,
    "sh -c 'echo 1; echo 2 >&2; echo 3; echo 4 >&2' 2>&1",
    'echo out; echo err >&2',
    'cat',
    'umask; pwd',
    `exec ls -l /proc/self/fd | grep -c ' [0-9]* -> '`,
    `: ${'x'.repeat(120_000)}; exit 7`,
  ];

  for (const shell of SHELLS) {
    for (const [name] of KINDS) {
      it(`runs in ${name} what ${path.basename(shell)} runs, with the same output and code`, () => {
        const codes = TEXTS.map((text) => {
          const direct = run([shell, '-c', text], { SHELL: shell });
          assert.deepEqual(run([at(name), text], { SHELL: shell }), direct, text);
          return direct.status;
        });
        assert.deepEqual(
          door
            .read()
            .map(({ end }) => end?.exitCode)
            .sort(),
          codes.sort(),
        );
        assert.deepEqual(files(), []);
      });
    }
  }

  for (const [name, hasBash] of KINDS) {
    describe(`in ${name}`, () => {
      it('writes down what runs, and then how it has ended', async () => {
        const started = await start(name, IN_CLAUDE, { CLAUDE_CODE_SESSION_ID: 'c0ffee-1' });
        const running = onlyOne(door.read());
        assert.deepEqual(running, {
          pid: started.pid,
          ppid: process.pid,
          startTime: running.startTime,
          agent: 'claude',
          conversation: 'c0ffee-1',
          cwd: folder,
          command: "echo 'ready'; read x; exit 3",
        });
        started.child.stdin.end();
        await started.ended;
        const { end, ...ended } = onlyOne(door.read());
        assert.deepEqual([ended, end?.exitCode], [running, 3]);
        assert.deepEqual(files(), []);
      });

      it('says that the exit code is unknown if it is killed itself', async () => {
        const started = await start(name, 'echo ready; read x');
        started.child.kill('SIGKILL');
        await started.ended;
        const { end } = onlyOne(door.read());
        assert.ok(end !== undefined && end.exitCode === undefined);
        started.child.stdin.end();
      });

      it('ends with its group', async () => {
        const started = await start(name, 'echo ready; read x');
        process.kill(-started.pid, 'SIGTERM');
        const [code, signal] = (await started.ended) as unknown[];
        assert.deepEqual([code, signal], [null, 'SIGTERM']);
        assert.ok(onlyOne(door.read()).end !== undefined);
      });

      it('hands variables on as they are', () => {
        const env = {
          SHELL: '/bin/bash',
          SHLVL: '3',
          SHELLOPTS: 'braceexpand:hashall:interactive-comments',
          PS4: '+',
          ...(hasBash && { 'a.b': 'c', 'BASH_FUNC_greet%%': '() {  echo hello\n}' }),
        };
        const text = '[ ! -o privileged ] && [ ! -o noclobber ] && echo $SHLVL; greet; env -0 | sort -z';
        const { stdout, stderr } = run([at(name), text], env);
        const direct = run(['/bin/bash', '-c', text], env);
        assert.deepEqual({ stdout, stderr }, { stdout: direct.stdout, stderr: direct.stderr });
      });

      it('runs in sh where no shell is named', () => {
        const { stdout } = run([at(name), 'readlink /proc/$$/exe; env | grep -c ^SHELL='], {});
        assert.equal(stdout, `${fs.realpathSync('/bin/sh')}\n0\n`);
      });

      it('passes on hooks and MCP servers, whatever the shell', () => {
        const env = { AI_AGENT: 'claude-code_2-1-332_harness', SHELL: '/bin/false' };
        assert.deepEqual(run([at(name), 'cat; exit 2'], env), { status: 2, stdout: 'in', stderr: '' });
        assert.deepEqual(door.read(), []);
      });

      it('runs without input, and without a place for errors', () => {
        for (const closed of ['<&-', '2>&-', '>&-']) {
          const text = `"$0" "$@" ${closed}`;
          const direct = run(['sh', '-c', text, '/bin/sh', '-c', 'echo out && exit 4'], {});
          assert.deepEqual(run(['sh', '-c', text, at(name), 'echo out && exit 4'], {}), direct, closed);
        }
      });

      const plain: readonly (readonly [why: string, prepare: () => void])[] = [
        ['the folder is missing', () => door.leave()],
        ['no server has the folder', () => fs.rmSync(at('records/server'))],
        ['the server has gone', () => fs.writeFileSync(at('records/server'), '4194305 1\n')],
        ['the folder names no server', () => fs.writeFileSync(at('records/server'), '\n')],
        ['the folder is a file', () => replaced(() => fs.writeFileSync(at('records'), ''))],
        ['the folder is a link', () => replaced(() => fs.symlinkSync('elsewhere', at('records')))],
        ['the folder is a pipe', () => replaced(() => spawnSync('mkfifo', [at('records')]))],
      ];

      function replaced(put: () => void): void {
        fs.renameSync(at('records'), at('elsewhere'));
        put();
      }

      for (const [why, prepare] of plain) {
        it(`runs plainly if ${why}`, () => {
          prepare();
          const { SHELL } = { SHELL: '/bin/bash' };
          const text = 'echo out; echo err >&2; exit 3';
          assert.deepEqual(run([at(name), text], { SHELL }), { status: 3, stdout: 'out\n', stderr: 'err\n' });
          for (const place of ['records', 'elsewhere'].map(at)) {
            const isFolder = fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
            assert.deepEqual(isFolder ? fs.readdirSync(place).filter((file) => file !== 'server') : [], []);
          }
        });
      }

      for (const [kind, make] of [
        ['pipe', 'mkfifo'],
        ['file', 'touch'],
        ['link', 'ln -s nowhere'],
      ] as const) {
        it(`runs plainly if a ${kind} has the name of its file`, () => {
          const text = `${make} ${at('records')}/$$; exec "$0" 'echo out; exit 3'`;
          const env = { SHELL: '/bin/bash' };
          assert.deepEqual(run(['sh', '-c', text, at(name)], env), {
            status: 3,
            stdout: 'out\n',
            stderr: '',
          });
          assert.deepEqual(door.read(), []);
          assert.deepEqual(files(), []);
        });
      }

      asRoot('runs plainly if the folder is that of another user, or it runs as one', () => {
        const text = 'echo out; exit 3';
        const env = { SHELL: '/bin/bash' };
        fs.chmodSync(folder, 0o755);
        assert.equal(run(asUser(NOBODY, [at(name), text]), env).stdout, 'out\n');
        giveTo(NOBODY, at('records'));
        assert.equal(run([at(name), text], env).stdout, 'out\n');
        assert.deepEqual(files(), []);
      });

      describeDisks('on a full disk', () => {
        it('runs plainly', () => {
          const fill = `mkdir -m 700 full; cp ${at('records/server')} full; head -c 1M /dev/zero > full/zero`;
          fs.mkdirSync(at('disk'));
          fs.writeFileSync(at('full'), claudeDoorScript([at('disk/full')], hasBash), { mode: 0o755 });
          const argv = withDisk(16_384, at('disk'), `{ ${fill}; } 2>/dev/null || :`);
          const env = { SHELL: '/bin/bash' };
          const expected = { status: 3, stdout: 'out\n', stderr: 'err\n' };
          assert.deepEqual(run([...argv, at('full'), 'echo out; echo err >&2; exit 3'], env), expected);
        });
      });
    });
  }

  it('keeps up with many commands at once', async () => {
    const ended = Array.from({ length: 60 }, async (_, index) => {
      const child = spawn(at('bash'), [`exit ${index}`], { env: { SHELL: '/bin/sh' }, stdio: 'ignore' });
      children.push(child);
      return once(child, 'exit');
    });
    await until(() => door.read().length > 0);
    const codes = (await Promise.all(ended)).map(([code]: unknown[]) => code);
    assert.deepEqual(
      codes,
      codes.map((_, index) => index),
    );
    const seen = door.read().map(({ end }) => end?.exitCode ?? -1);
    assert.deepEqual(
      seen.sort((one, other) => one - other),
      codes,
    );
  });
});
