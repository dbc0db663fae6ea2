import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { wrapperCommand } from '../../../../src/local/sandbox/bubblewrap.js';
import { describeOnLinux } from '../../../support/onLinux.js';

describeOnLinux('The wrapper of a sandbox', () => {
  it('runs no file of the user, although bash would if its input is a socket', async () => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'es-home-'));
    fs.writeFileSync(path.join(home, '.bashrc'), 'echo from the home');
    const programs = { bwrap: '/bin/echo', bash: '/bin/bash', env: '/usr/bin/env' };
    const files = { options: '/dev/null', filter: '/dev/null', status: '/dev/null' };
    const [file, ...args] = wrapperCommand(programs, files, ['true'], undefined).argv;
    const wrapper = spawn(file, args, { env: { HOME: home }, stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    wrapper.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(wrapper, 'close');
    fs.rmSync(home, { recursive: true });
    assert.match(said, /^--args 7 .* true\n$/);
  });
});
