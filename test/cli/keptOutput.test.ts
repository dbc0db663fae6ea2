import assert from 'node:assert/strict';

import { until } from '../support/processes.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { runLine } from './cliFixture.js';

describe('exec-sessions and output on disk', () => {
  const machine = useMachine();

  it('prints and searches what memory has let go', async () => {
    const script = 'read x; seq 1 200000; read x; seq 200001 400000; read x';
    await runLine(machine, `exec-sessions run --detach --pipes --title long -- sh -c '${script}'`);
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const [info] = await backend.list();
    const process = await backend.attach(info?.processId ?? '');
    await process.describe({ keepOutput: true });
    for (const end of [200_000, 400_000]) {
      await process.write(Buffer.from('\n'));
      await until(async () => {
        const { chunks } = await process.read();
        return Buffer.from(chunks.at(-1)?.bytes ?? [])
          .toString()
          .endsWith(`\n${end}\n`);
      });
      // With it, all is on disk.
      await process.readKept({ afterSeq: process.info().output.lastSeq, maxBytes: 1 });
    }
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
