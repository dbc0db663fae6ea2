import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { useMachine } from '../server/machine/machineFixture.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { runLine } from './cliFixture.js';

describeOnLinux('exec-sessions run --sandbox', () => {
  const machine = useMachine();
  /** A folder that no usual sandbox may write to: those of other tests are below the temporary one. */
  let outside = '';
  before(() => {
    outside = fs.mkdtempSync('/var/tmp/es-outside-');
  });
  after(() => fs.rmSync(outside, { recursive: true }));

  const run = (line: string) => runLine(machine, line);

  it('lets a program write to its directory and to temporary ones, and says what it has refused', async () => {
    const line = `exec-sessions run --sandbox --cwd home -- sh -c 'echo 1 > in; echo 2 > "$TMPDIR/in"; echo 3 > ${outside}/out'`;
    const { stderr, code } = await run(line);
    assert.match(stderr, /Read-only file system/);
    assert.notEqual(code, 0);
    const [home, tmp] = ['home/in', 'tmp/in'].map((file) => path.join(machine.folder, file));
    assert.deepEqual(
      [home, tmp].map((file) => fs.readFileSync(file ?? '', 'utf8')),
      ['1\n', '2\n'],
    );
    assert.ok(!fs.existsSync(path.join(outside, 'out')));
    const refusal = `refused by the sandbox: ${outside}/out is read-only`;
    assert.ok((await run('exec-sessions ls --all')).stdout.includes(refusal));
    await until(
      async () => (await run('exec-sessions receipts')).stdout,
      (receipts) => receipts.includes(`exit ${code}, ${refusal}`),
    );
    const { receipts } = JSON.parse((await run('exec-sessions receipts --json')).stdout) as {
      receipts: { sandbox: { network: boolean }; refused: unknown }[];
    };
    assert.deepEqual(
      receipts.map(({ sandbox, refused }) => [sandbox.network, refused]),
      [[false, { file: `${outside}/out` }]],
    );
  });

  it('lets it write to further directories and use the network if that is said', async () => {
    const listens = `node -e "require('net').createServer().listen(0, () => process.exit()).on('error', () => process.exit(7))"`;
    assert.equal((await run(`exec-sessions run --sandbox -- ${listens}`)).code, 7);
    assert.equal((await run(`exec-sessions run --network -- ${listens}`)).code, 0);
    const { code } = await run(`exec-sessions run --write ${outside} -- touch ${outside}/in`);
    assert.equal(code, 0);
    await until(() => fs.readdirSync(outside).join(), 'in');
    const { stdout } = await run('exec-sessions ls --all');
    const folder = path.basename(machine.folder);
    assert.ok(stdout.includes(`sandbox: writes to ${folder}, with network`), stdout);
    assert.ok(
      stdout.includes(`sandbox: writes to ${folder} and ${path.basename(outside)}, no network`),
      stdout,
    );
  });
});
