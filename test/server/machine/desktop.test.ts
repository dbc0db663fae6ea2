import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { version } from '../../../package.json';
import { describeOnLinux } from '../../support/onLinux.js';
import { until } from '../../support/until.js';
import { builtFiles, useMachine } from './machineFixture.js';

/** Pretends to be Electron, before the program itself is loaded. */
const IS_ELECTRON = `Object.defineProperty(process.versions, 'electron', { value: '39.0.0' });
Object.defineProperty(process, 'execPath', { value: process.env.TEST_ELECTRON });`;

/** Starts a session server as an extension host in a desktop does, whose program is Electron. */
describeOnLinux('A session server of VS Code’s desktop', () => {
  const fixture = useMachine();

  /** @param PATH where the desktop looks for a Node. @returns what it logs, and the server's program and variables. */
  const startOnDesktop = async (PATH: string) => {
    const { folder } = fixture;
    const electron = path.join(folder, 'electron');
    const preload = path.join(folder, 'electron.cjs');
    // Like Electron, it is a Node only if it is told to be.
    const refusal = 'test "$ELECTRON_RUN_AS_NODE" = 1 || { echo "opens a window" >&2; exit 1; }';
    fs.writeFileSync(
      electron,
      `#!/bin/sh\n${refusal}\nTEST_BY_ELECTRON=yes exec "${process.execPath}" --require "${preload}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    fs.writeFileSync(preload, IS_ELECTRON);
    const program = `
      const { connectMachine } = require(${JSON.stringify(path.join(builtFiles, 'machine.js'))});
      const clock = {
        now: () => performance.now(),
        wallTime: () => Date.now(),
        after: (ms, then) => { const timer = setTimeout(then, ms); return { dispose: () => clearTimeout(timer) }; },
      };
      const { TEST_PATH: PATH, ...env } = process.env;
      connectMachine({
        version: ${JSON.stringify(version)}, files: ${JSON.stringify(builtFiles)}, clock, start: true,
        env: { ...env, PATH }, log: (line) => console.log(line),
      }).then(({ backend }) => { console.log(backend.host.server.electron); process.exit(); });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--require', preload, '-e', program], {
      env: { ...fixture.env, TEST_PATH: PATH, TEST_ELECTRON: electron, NODE_OPTIONS: '--no-deprecation' },
    });
    const [pid = 0] = await fixture.servers();
    let variables: readonly string[] = [];
    await until(() => {
      variables = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return variables.length > 1;
    });
    return { log: stdout, variables, byElectron: variables.includes('TEST_BY_ELECTRON=yes') };
  };

  it('runs on another Node where there is one, which an update of VS Code leaves alone', async () => {
    const { log, byElectron, variables } = await startOnDesktop(
      `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    );
    assert.deepEqual([log, byElectron], ['false\n', false]);
    assert.ok(!variables.some((one) => one.startsWith('NODE_OPTIONS=')));
  });

  it('runs on the Node of VS Code where there is no other, and says so', async () => {
    const { log, byElectron } = await startOnDesktop(fixture.folder);
    assert.equal(
      log,
      'The session server runs on the Node of VS Code, since there is no other one: an update may end it.\ntrue\n',
    );
    assert.equal(byElectron, true);
  });
});
