import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { removeFolder } from '../rig/lifetime.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { chosenBackend, Fixture, outputOf, setSetting } from './fixture.js';

/** The variable that says where a socket may be, and a folder for it, whose name is short: so is the path of a socket. */
const VARIABLES = { XDG_RUNTIME_DIR: 'run' } as const;

/** Others can look into the folder that could have the socket, so no session server starts. */
describe('sessions where no session server can be had', () => {
  const before = new Map<string, string | undefined>();
  let folder = '';
  let usual = '';
  let window: Fixture | undefined;

  beforeEach(async () => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-')));
    usual = path.join(folder, 'run/exec-sessions');
    fs.mkdirSync(usual, { recursive: true });
    fs.chmodSync(usual, 0o755);
    for (const [name, short] of Object.entries(VARIABLES)) {
      before.set(name, process.env[name]);
      process.env[name] = path.join(folder, short);
    }
    await setSetting('local.backend', 'server');
  });

  afterEach(async () => {
    await window?.dispose();
    window = undefined;
    await setSetting('local.backend', chosenBackend);
    for (const [name, value] of before) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
    removeFolder(folder);
  });

  it('run in the extension host, which says once why, and what is lost by it', async () => {
    window = new Fixture();
    const first = await window.run('echo works');
    assert.equal(await outputOf(first), 'works\n');
    assert.deepEqual(window.user.said, [
      {
        kind: 'warn',
        message: `Sessions of this window will end with it, because the session server cannot be used: The session server of this machine cannot be used: others can look into the folder ${usual}. Choose one that only you can look into (mode 700).`,
        actions: ['Show Log'],
      },
    ]);
    const lasting = await window.start('sleep 1000');
    assert.equal(window.user.said.length, 1, 'it is said once');
    const { pid } = lasting.snapshot();
    assert.ok(pid !== undefined && (await isRunning(pid)));
    await window.leave();
    window = undefined;
    await until(async () => !(await isRunning(pid)));
  });
});
