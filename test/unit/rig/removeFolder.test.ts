import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { removeFolder } from '../../rig/lifetime.js';
import { describeOnPosix } from '../../support/onLinux.js';
import { until } from '../../support/until.js';

describeOnPosix('A folder of a test', () => {
  it('is removed while a program still makes files in it', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-folder-'));
    const inner = path.join(folder, 'inner');
    fs.mkdirSync(inner);
    const making = `i=0; while [ $i -lt 4000 ]; do i=$((i+1)); : >"$0/$i" || exit; done`;
    const program = spawn('/bin/sh', ['-c', making, inner], { stdio: 'ignore' });
    const ended = once(program, 'exit');
    await until(() => fs.readdirSync(inner).length > 2000);
    removeFolder(folder);
    assert.equal(fs.existsSync(folder), false);
    await ended;
    assert.equal(fs.existsSync(folder), false);
  });
});
