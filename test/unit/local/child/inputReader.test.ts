import assert from 'node:assert/strict';

import type { ExecProcess } from '../../../../src/core/index.js';
import { LocalBackend } from '../../../../src/local/index.js';
import { untilOutput } from '../../../support/collect.js';
import { describeOnLinux } from '../../../support/onLinux.js';
import { params, sh } from '../../../support/startParams.js';
import { until } from '../../../support/until.js';

const OFF = 'stty -echo; echo ready; ';
const python = (script: string) => [
  ...sh('stty -echo; exec python3 -c "$0"'),
  `print("ready", flush=True); ${script}`,
];
const node = (script: string) => [
  ...sh('stty -echo; exec "$0" -e "$1"'),
  process.execPath,
  `console.log("ready"); ${script}`,
];

/** Programs that have turned echo off and wait for input from their terminal. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  'a shell that reads a line': ['sh', '-c', `${OFF}read x`],
  'bash that reads a secret': ['bash', '-c', 'echo ready; read -s x'],
  'bash that reads with a time limit': ['bash', '-c', `${OFF}read -t 100 x`],
  'python that asks with getpass': python('import getpass; getpass.getpass()'),
  'python that opens /dev/tty': python('open("/dev/tty").readline()'),
  'a second thread': python(
    'import sys, threading, time; threading.Thread(target=sys.stdin.readline).start(); time.sleep(100)',
  ),
  'a child': ['sh', '-c', `${OFF}(read x) & sleep 100 | (read y </dev/tty); wait`],
  'a select among others': python('import os, select, sys; select.select([os.pipe()[0], sys.stdin], [], [])'),
  'a poll among others': python(
    'import os, select; p = select.poll(); p.register(os.pipe()[0], 1); p.register(0, 1); p.poll()',
  ),
  'an event loop': node('process.stdin.once("data", () => undefined)'),
};

/** Programs that have turned echo off for another reason. */
const WORKING: Readonly<Record<string, readonly string[]>> = {
  'a script that waits for its child': ['sh', '-c', `${OFF}sleep 100; :`],
  'a reader of a pipe': ['sh', '-c', `${OFF}sleep 100 | cat`],
  'a shell with a stopped reader': ['bash', '-c', `set -m; ${OFF}cat & sleep 100; :`],
  'a busy program': ['sh', '-c', `${OFF}while :; do :; done`],
  'a select of a pipe': python('import os, select; select.select([os.pipe()[0]], [], [])'),
  'a poll of a pipe': python(
    'import os, select; p = select.poll(); p.register(os.pipe()[0], 1); p.register(0, 0); p.poll()',
  ),
  'an event loop': node('setInterval(() => undefined, 1_000_000)'),
};

describeOnLinux('Whether a program waits for its terminal', () => {
  const backend = new LocalBackend();
  after(() => backend.shutdown());

  async function started(argv: readonly string[]): Promise<ExecProcess> {
    const program = await backend.start(params({ processId: argv.join(' '), argv, tty: true }));
    await untilOutput(program, 'ready');
    return program;
  }

  for (const [name, argv] of Object.entries(WAITING)) {
    it(`is told of ${name}`, async () => {
      const program = await started(argv);
      await until(async () => (await program.inputWait())?.kind, 'secret');
      await program.terminate();
    });
  }

  for (const [name, argv] of Object.entries(WORKING)) {
    it(`is denied of ${name}`, async () => {
      const program = await started(argv);
      await until(async () => (await program.inputWait())?.kind, 'none');
      // Nothing changes that while the program goes on.
      assert.deepEqual(await program.inputWait(), { kind: 'none' });
      await program.terminate();
    });
  }
});
