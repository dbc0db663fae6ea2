import assert from 'node:assert/strict';

import { useMachine } from '../server/machine/machineFixture.js';
import { keepOnDisk, NUMBERS, scriptOf } from '../support/longOutput.js';
import { runLine } from './cliFixture.js';

describe('exec-sessions and output on disk', () => {
  const machine = useMachine();

  it('prints and searches what memory has let go', async () => {
    const script = scriptOf(NUMBERS);
    await runLine(machine, `exec-sessions run --detach --pipes --title long -- sh -c '${script}'`);
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const process = await keepOnDisk(backend, NUMBERS);
    assert.ok(process.info().output.evicted.bytes > 1024 * 1024);
    for (const how of ['', '--plain']) {
      const line = `exec-sessions logs ${how} long | cksum; seq 1 400000 | cksum`;
      const { stdout, stderr } = await runLine(machine, line);
      const [printed, expected] = stdout.split('\n');
      assert.deepEqual([printed, stderr], [expected, '']);
    }
    const { stdout } = await runLine(machine, 'exec-sessions search 1234567 ; exec-sessions search 77777');
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(': ')[1]),
      ['77777', '177777', '277777', '377777', undefined],
    );
    await process.describe({ keepOutput: false });
    const { stderr } = await runLine(machine, 'exec-sessions logs long | tail -n 1');
    assert.match(stderr, /^exec-sessions: the first \d+ bytes are no longer kept\.\n$/);
  });
});
