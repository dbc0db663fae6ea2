import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { parsePlaceText, shellArgv } from '../../../src/core/index.js';

describe('A place that is typed', () => {
  it('is no command without a program', () => {
    for (const text of ['[]', '""', `'' x`, '["", "x"]']) {
      assert.deepEqual(parsePlaceText(text), { kind: 'wrong', why: 'empty' }, text);
    }
  });

  it('as a host leaves options alone that the configuration tells ssh to ignore', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-ssh-'));
    try {
      const file = path.join(folder, 'config');
      fs.writeFileSync(file, 'IgnoreUnknown UseKeychain\nUseKeychain yes\nUser ann\n');
      const [program = '', ...args] = shellArgv({ engine: 'ssh', name: 'build' });
      const settings = execFileSync(program, ['-G', '-F', file, ...args], { encoding: 'utf8' });
      assert.match(settings, /^user ann$/m);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
