import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { builtFiles, useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/processes.js';
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
    const EMPTY = '{"version":1,"sessions":[]}';
    await until(() => text === `${EMPTY}\n`);
    await runLine(machine, 'exec-sessions run --detach --title it -- sleep 1000');
    await until(() => text.includes('"title":"it"'));
    await runLine(machine, 'exec-sessions kill it');
    await until(() => text.endsWith(`]}\n${EMPTY}\n`));
    for (const line of text.trimEnd().split('\n')) {
      assert.doesNotThrow(() => JSON.parse(line), line);
    }
    watch.stdout.destroy();
    await runLine(machine, 'exec-sessions run --detach --title other -- sleep 1000');
    assert.deepEqual(await ended, [141, null]);
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
    assert.match(stdout, /^\{"version":1,"sessions":\[\{.*"exitCode":3/);
  });
});
