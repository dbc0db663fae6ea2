import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../rig/paths.js';
import { collectEvents } from '../../support/collect.js';
import { isRunning } from '../../support/processes.js';
import { params, sh } from '../../support/startParams.js';
import { until } from '../../support/until.js';
import { otherFiles, useMachine } from './machineFixture.js';

describe('The files of the program once the extension is removed', () => {
  const fixture = useMachine();
  const folder = () => path.join(fixture.folder, 'home/.cache/exec-sessions');
  const left = () => (fs.existsSync(folder()) ? fs.readdirSync(folder()).sort() : []);

  const end = async (pid: number) => {
    process.kill(pid, 'SIGTERM');
    await until(async () => !(await isRunning(pid)));
  };

  const endServer = async () => {
    const [pid = 0] = await fixture.servers();
    await end(pid);
  };

  /** As a command on the command line leaves it. */
  const keepCode = () => {
    const ofNode = path.join(folder(), 'code/v24');
    fs.mkdirSync(ofNode, { recursive: true });
    fs.writeFileSync(path.join(ofNode, '81456396'), 'code');
  };

  /** Does what VS Code does once it has removed the extension: with its own Node, in the folder of the extension. */
  const uninstall = async () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, program = ''] = /^node (\S+)$/.exec(scripts['vscode:uninstall'] ?? '') ?? [];
    await promisify(execFile)(process.execPath, [program], { cwd: root, env: fixture.env });
  };

  it('are gone if no server listens', async () => {
    await fixture.connect();
    await endServer();
    keepCode();
    assert.equal(left().length, 2);
    await uninstall();
    assert.ok(!fs.existsSync(folder()), left().join(' '));
  });

  it('stay beside what is not ours', async () => {
    await fixture.connect();
    await endServer();
    fs.mkdirSync(path.join(folder(), 'receipts'));
    await uninstall();
    assert.deepEqual(left(), ['receipts']);
  });

  it('stay while a server listens, whatever its version, and it goes on', async () => {
    const machine = await fixture.connect({ files: otherFiles(path.join(fixture.folder, 'other')) });
    assert.ok(machine);
    keepCode();
    const before = left();
    assert.equal(before.length, 2);
    await uninstall();
    assert.deepEqual(left(), before);
    const argv = sh('test -t 0 && echo terminal');
    const started = await machine.backend.start(params({ processId: 'says', argv, tty: true }));
    assert.equal((await collectEvents(started)).stdout, 'terminal\r\n');
  });
});
