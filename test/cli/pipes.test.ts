import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import module from 'node:module';
import net from 'node:net';
import path from 'node:path';

import { socketNameOf } from '../../src/machine/machineName.js';
import { builtFiles, useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { cli, runLine } from './cliFixture.js';

describe('exec-sessions without a terminal', () => {
  const machine = useMachine();

  it('writes a line of JSON for each change with ls --watch, until nobody reads it', async () => {
    const watch = spawn(process.execPath, [cli, 'ls', '--watch', '--json'], {
      env: machine.env,
      cwd: machine.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(watch, 'exit');
    let text = '';
    watch.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
    const EMPTY = '{"version":1,"incomplete":false,"sessions":[]}';
    await until(() => text, `${EMPTY}\n`);
    await runLine(machine, 'exec-sessions run --detach --title it -- sleep 1000');
    await until(
      () => text,
      (seen) => seen.includes('"title":"it"'),
    );
    await runLine(machine, 'exec-sessions kill it');
    await until(
      () => text,
      (seen) => seen.endsWith(`]}\n${EMPTY}\n`),
    );
    for (const line of text.trimEnd().split('\n')) {
      assert.doesNotThrow(() => JSON.parse(line), line);
    }
    watch.stdout.destroy();
    await runLine(machine, 'exec-sessions run --detach --title other -- sleep 1000');
    assert.deepEqual(await ended, [141, null]);
  });

  for (const command of ['logs --follow', 'attach --read-only']) {
    it(`ends ${command} at the next output after its reader has ended`, async () => {
      await runLine(
        machine,
        'exec-sessions run --detach --title it -- sh -c "while echo one; do sleep 0.1; done"',
      );
      const line = `exec-sessions ${command} it | head -n 1; echo "\${PIPESTATUS[0]}"`;
      assert.equal((await runLine(machine, line)).stdout, 'one\r\n141\n');
      // The session has not heard of it.
      assert.match((await runLine(machine, 'exec-sessions ls')).stdout, / running .*it/);
    });
  }

  it('goes on without a reader while input is typed, and the program sees its writes fail', async () => {
    const line = `{ echo a; until [ -e read ]; do sleep 0.05; done; echo b; } | exec-sessions run --title it -- sh -c 'read x; touch read; read y; echo "$y" >got; echo end' | true; echo "\${PIPESTATUS[1]}"`;
    assert.equal((await runLine(machine, line)).stdout, '141\n');
    assert.equal(fs.readFileSync(path.join(machine.folder, 'got'), 'utf8'), 'b\n');
  });

  describe('beside a server that speaks something else', () => {
    let connections = 0;
    let server: net.Server | undefined;
    beforeEach(async () => {
      const socket = path.join(machine.folder, 'run/exec-sessions', socketNameOf('0'.repeat(12)));
      fs.mkdirSync(path.dirname(socket), { mode: 0o700 });
      connections = 0;
      server = net.createServer((connection) => {
        connections += 1;
        connection.on('error', () => undefined);
        connection.end('something else\r\n\r\n');
      });
      await once(server.listen(socket), 'listening');
    });
    afterEach(() => server?.close());

    it('connects once to each server that it finds', async () => {
      const { stderr, code } = await runLine(machine, 'exec-sessions ls');
      assert.match(stderr, /^exec-sessions: a session server is left out\. /);
      // It is asked twice, since it may be one that just ends.
      assert.deepEqual([connections, code], [2, 1]);
    });

    it('searches the sessions of the others, and is not done', async () => {
      await runLine(machine, 'exec-sessions run --detach --pipes -- sh -c "echo words; sleep 1000"');
      const { stdout, stderr, code } = await runLine(machine, 'exec-sessions search sleep');
      assert.match(stdout, /^[0-9a-f]{8}: sh -c .*\n$/);
      assert.match(
        stderr,
        /\nexec-sessions: sessions of a server that cannot be reached now were not searched\.\n$/,
      );
      assert.equal(code, 1);
    });
  });

  for (const [signal, code, tag] of [
    ['SIGTERM', 143, ''],
    ['SIGINT', 130, ' @all'],
    ['SIGHUP', 129, ' @all'],
  ] as const) {
    it(`leaves its session running when ${signal} ends it while nobody reads its output${tag}`, async () => {
      await runLine(machine, 'exec-sessions run --detach --title it -- yes');
      const pipe = openPipe(path.join(machine.folder, 'pipe'));
      const attached = spawn(process.execPath, [cli, 'attach', 'it'], {
        env: machine.env,
        cwd: machine.folder,
        stdio: ['ignore', pipe.writer, 'ignore'],
      });
      const ended = once(attached, 'exit');
      await until(pipe.hasOutput);
      attached.kill(signal);
      assert.deepEqual(await ended, [code, null]);
      pipe.close();
      const { stdout } = await runLine(machine, 'exec-sessions ls --json');
      assert.match(stdout, /"title":"it".*"state":"running"/);
    });
  }

  it('passes SIGTERM on to its command, and waits for the end of the command', async () => {
    const client = spawn(
      process.execPath,
      [
        cli,
        'run',
        '--',
        'sh',
        '-c',
        `trap 'echo cleaned; exit 4' TERM; echo ready; while :; do sleep 0.1; done`,
      ],
      { env: machine.env, cwd: machine.folder, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const ended = once(client, 'close');
    let text = '';
    client.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
    await until(() => text, 'ready\n');
    client.kill('SIGTERM');
    assert.deepEqual(await ended, [4, null]);
    assert.equal(text, 'ready\ncleaned\n');
  });

  it('has Node keep its compiled code in a private folder, and nowhere else', async () => {
    const folder = path.join(machine.folder, 'home/.cache/exec-sessions');
    const code = path.join(folder, 'code');
    const temporary = () => fs.readdirSync(machine.env['TMPDIR'] ?? assert.fail());
    const before = temporary();
    const isKept = async () => {
      assert.equal((await runLine(machine, 'exec-sessions --version')).code, 0);
      return fs.existsSync(code);
    };
    assert.equal(await isKept(), false);
    assert.ok(!fs.existsSync(folder));
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o755);
    assert.equal(await isKept(), false);
    fs.chmodSync(folder, 0o700);
    assert.equal(await isKept(), 'enableCompileCache' in module);
    assert.deepEqual(temporary(), before);
  });

  it('needs nothing but Node and its own files', async () => {
    const [files, programs] = ['alone', 'programs'].map((name) => path.join(machine.folder, name));
    assert.ok(files !== undefined && programs !== undefined);
    fs.cpSync(builtFiles, files, { recursive: true });
    fs.mkdirSync(programs);
    fs.symlinkSync(process.execPath, path.join(programs, 'node'));
    fs.symlinkSync(path.join(files, 'exec-sessions.js'), path.join(programs, 'exec-sessions'));
    const { HOME, TMPDIR, XDG_RUNTIME_DIR } = machine.env;
    const alone = (line: string) =>
      runLine(
        machine,
        `env -i PATH='${programs}' HOME='${HOME}' TMPDIR='${TMPDIR}' XDG_RUNTIME_DIR='${XDG_RUNTIME_DIR}' exec-sessions ${line}`,
      );
    assert.deepEqual(await alone(`run -- /bin/sh -c 'echo "$PATH"; exit 3'`), {
      stdout: `${programs}\n`,
      stderr: '',
      code: 3,
    });
    const { stdout, code } = await alone('ls --all --json');
    assert.equal(code, 0);
    assert.match(stdout, /^\{"version":1,"incomplete":false,"sessions":\[\{.*"exitCode":3/);
  });
});

/** A pipe whose reader takes a single byte. */
function openPipe(file: string): {
  readonly writer: number;
  readonly hasOutput: () => boolean;
  close(): void;
} {
  execFileSync('mkfifo', [file]);
  const reader = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const writer = fs.openSync(file, fs.constants.O_WRONLY);
  return {
    writer,
    hasOutput: () => {
      try {
        return fs.readSync(reader, Buffer.alloc(1)) > 0;
      } catch {
        // Nothing is in it yet.
        return false;
      }
    },
    close: () => [reader, writer].forEach((one) => fs.closeSync(one)),
  };
}
