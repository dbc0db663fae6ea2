import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { cli, runLine, useTerminals } from './cliFixture.js';

const HELD =
  /\[Exited, but \w+ \(process \d+\)(?:, and 1 more,)? still runs and may write\. .* logs -f [0-9a-f]{8}\]/;

describe('exec-sessions run of a command whose background process holds its output', () => {
  const machine = useMachine();
  const open = useTerminals(machine);

  // On a terminal, the end of the command hangs up all of its POSIX session.
  const command =
    'setsid sh -c "touch held; while test -e held; do sleep 0.05; done" & until test -e held; do sleep 0.05; done; echo started; exit 3';

  it('leaves it with the exit code, if its own output goes into a file', async () => {
    const { stdout, stderr, code } = await runLine(
      machine,
      `exec-sessions run -- sh -c '${command}' > out; code=$?; cat out; exit $code`,
    );
    assert.deepEqual({ stdout, code }, { stdout: 'started\n', code: 3 });
    assert.match(stderr, HELD);
  });

  it('leaves it with the exit code, on a terminal, and attach does as well', async () => {
    const first = await open(['run', '--', 'sh', '-c', command]);
    assert.equal(await first.ended(), 3);
    assert.match(first.text, HELD);
    const [, id = ''] = /logs -f ([0-9a-f]+)/.exec(first.text) ?? [];
    const second = await open(['attach', id]);
    assert.equal(await second.ended(), 3);
    assert.match(second.text, /started[\s\S]*\[Exited, but/);
  });

  it('waits for the reader of a pipe, until Ctrl-C', async () => {
    const client = spawn(process.execPath, [cli, 'run', '--', 'sh', '-c', command], {
      env: machine.env,
      cwd: machine.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(client, 'close');
    let [text, remarks] = ['', ''];
    client.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
    client.stderr.on('data', (bytes: Buffer) => (remarks += bytes.toString()));
    await until(() => text, 'started\n');
    await until(async () =>
      (await runLine(machine, 'exec-sessions ls --all')).stdout.includes('exit 3, open'),
    );
    client.kill('SIGINT');
    assert.deepEqual(await ended, [3, null]);
    assert.match(remarks, HELD);
  });

  it('has all of the output of a pipe', async () => {
    const line = `exec-sessions run -- sh -c '(until test -e go; do sleep 0.05; done; echo late) & touch go; exit 3' | cat`;
    assert.deepEqual(await runLine(machine, line), { stdout: 'late\n', stderr: '', code: 0 });
  });
});
