import assert from 'node:assert/strict';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/processes.js';
import { PATH } from '../support/startParams.js';

describe('Tools of agents and output on disk', () => {
  const machine = useMachine();

  it('read and search what memory has let go', async () => {
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const environment = { id: 'here', label: 'here', backend, cwd: machine.folder, shell: '/bin/bash' };
    const tools = createAgentTools({
      host: backendHost({ environments: [{ ...environment, env: { PATH }, shared: true }] }),
    });
    const call = (name: Parameters<typeof tools.call>[0], input: object) =>
      tools.call(name, input, { agent: { id: 'tester', name: 'tester' } });
    try {
      const cmd = 'read x; seq 1 200000; read x; seq 200001 400000; read x';
      const { structured } = await call('exec_command', { cmd, stdin: true, yield_time_ms: 0 });
      const { session } = structured;
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
      const page = await call('read_output', { session, cursor: '0', max_output_tokens: 500 });
      assert.match(page.text, /\n1\n2\n3\n4\n/);
      const found = await call('read_output', { session, search: '^77777$' });
      assert.match(found.text, /Matching lines: 1\n[^]*: 77777\n/);
    } finally {
      tools.dispose();
    }
  });
});
