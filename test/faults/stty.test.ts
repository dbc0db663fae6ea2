import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { readInputMode } from '../../src/local/child/inputMode.js';
import { OpenTerminals } from '../../src/local/child/openTerminals.js';
import { removeFolder } from '../rig/lifetime.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';

describe('An stty that misbehaves @all', () => {
  const { PATH } = process.env;
  const never = new AbortController().signal;
  let folder = '';
  let terminal = 0;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'exec-sessions-stty-'));
    terminal = openSync('/dev/null', 'r');
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    closeSync(terminal);
    removeFolder(folder);
  });

  /** Replaces stty by this script. */
  function replace(script: string): void {
    const file = path.join(folder, 'stty');
    writeFileSync(file, `#!/bin/sh\nPATH='${PATH ?? ''}'\ncd '${folder}'\n${script}\n`);
    chmodSync(file, 0o755);
    process.env['PATH'] = folder;
  }
  const read = (signal = never) => readInputMode(terminal, new OpenTerminals(), signal);

  it('is believed when it works: this test replaces it', async () => {
    replace('echo icanon -echo');
    assert.deepEqual(await read(), { canonical: true, echo: false });
  });

  it('and is not there, tells nothing', async () => {
    process.env['PATH'] = folder;
    assert.equal(await read(), undefined);
  });

  it('and is given no terminal, tells nothing', async () => {
    assert.equal(await read(), undefined);
  });

  it('and prints without end, tells nothing, and is ended', async () => {
    replace('echo $$ >pid; exec yes x');
    assert.equal(await read(), undefined);
    assert.ok(!(await isRunning(Number(readFileSync(path.join(folder, 'pid'), 'utf8')))));
  });

  it('and leaves its output to another program, is waited for no longer than it may take', async () => {
    replace('sleep 100 & echo $! >pid; echo icanon echo');
    assert.deepEqual(await read(), { canonical: true, echo: true });
    process.kill(Number(readFileSync(path.join(folder, 'pid'), 'utf8')));
  });

  it('and does not end, is ended with its process', async () => {
    replace('echo $$ >pid.new; mv pid.new pid; exec sleep 100');
    const abort = new AbortController();
    const answer = read(abort.signal);
    const file = path.join(folder, 'pid');
    await until(() => existsSync(file));
    const pid = Number(readFileSync(file, 'utf8'));
    assert.ok(await isRunning(pid));
    abort.abort();
    assert.equal(await answer, undefined);
    await until(async () => !(await isRunning(pid)));
  });
});
