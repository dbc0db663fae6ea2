import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Sandbox, StartParams } from '../../../../src/core/index.js';
import { LocalBackend, Sandboxes } from '../../../../src/local/index.js';
import { assertRejects } from '../../../support/assertRejects.js';
import { collectEvents, untilEvent } from '../../../support/collect.js';
import { describeOnLinux } from '../../../support/onLinux.js';
import { params, PATH, sh } from '../../../support/startParams.js';
import { until } from '../../../support/until.js';

const NOTHING_ALLOWED: Sandbox = { places: [], network: false };

describeOnLinux('A sandbox', () => {
  let folder: string;
  let backend: LocalBackend;
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(process.env['TMPDIR'] ?? '/tmp', 'own-')), 'sandboxes');
    backend = new LocalBackend({
      sandboxes: new Sandboxes({ own: folder, covered: [], readOnly: [], sockets: [] }),
    });
  });
  afterEach(() => backend.shutdown());
  const start = (argv: readonly string[], some: Partial<StartParams> = {}) =>
    backend.start(params({ argv, sandbox: NOTHING_ALLOWED, ...some }));

  for (const tty of [false, true]) {
    const place = tty ? 'on a terminal' : 'on pipes';

    it(`gives a program ${place} the signals that come right after its start`, async () => {
      for (let n = 0; n < 5; n += 1) {
        const started = await start(['sleep', '100'], { tty, processId: `sleeper-${n}` });
        await started.signal('SIGUSR1');
        await untilEvent(started, 'closed');
        assert.equal(started.info().exit?.exitCode, 138);
      }
    });

    it(`gives a program ${place} every signal that it handles`, async () => {
      const names = [
        'HUP',
        'QUIT',
        'ILL',
        'ABRT',
        'BUS',
        'FPE',
        'SEGV',
        'XCPU',
        'XFSZ',
        'VTALRM',
        'PROF',
        'IO',
        'SYS',
      ];
      const traps = names.map((name) => `trap 'echo got ${name}' ${name}`).join('; ');
      const started = await start(sh(`${traps}; echo ready; while :; do sleep 0.01; done`), { tty });
      const output = async () =>
        Buffer.concat((await started.read({})).chunks.map(({ bytes }) => bytes)).toString();
      await until(async () => (await output()).includes('ready'));
      for (const name of names) {
        await started.signal(`SIG${name}`);
        await until(async () => (await output()).includes(`got ${name}`));
      }
    });

    it(`shows the number that a program ${place} has outside`, async () => {
      const started = await start(['sleep', '100'], { tty });
      const { pid } = started.info();
      assert.equal(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'), 'sleep\u0000100\u0000');
      assert.deepEqual((await started.usage())?.processes, 1);
    });

    it(`tells a failure of bubblewrap ${place} apart from one of the program`, async () => {
      const program = await start(sh('exit 1'), { tty });
      await untilEvent(program, 'closed');
      assert.equal(program.info().exit?.exitCode, 1);
      const variables = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`V${n}`, '']));
      const refused = start(['true'], { tty, processId: 'many', env: variables });
      await assertRejects(refused, -32602, /takes no more than some 9,000 arguments/);
      assert.deepEqual(
        (await backend.list()).map(({ processId }) => processId),
        ['process-1'],
      );
    });
  }

  it('leaves no files, and holds none open but its filter', async () => {
    await collectEvents(await start(['true']));
    await until(() => fs.readdirSync(folder).length, 0);
    const held = fs.readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    assert.equal(held.filter((file) => file.startsWith(folder)).length, 1);
  });

  for (const variables of [
    { PATH },
    { PATH, 'A B': 'x\ny', '--bind': '/', 'PWD': '/some/where', 'SHLVL': '7' },
  ]) {
    it(`has exactly the variables ${Object.keys(variables).join(', ')}`, async () => {
      const { stdout } = await collectEvents(await start(['env', '-0'], { env: variables }));
      const seen = stdout.split('\0').filter((line) => line !== '' && !line.startsWith('EXEC_SESSIONS'));
      assert.deepEqual(
        seen.sort(),
        Object.entries(variables)
          .map(([name, value]) => `${name}=${value}`)
          .sort(),
      );
    });
  }
});

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
