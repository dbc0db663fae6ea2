import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { sessionMembers } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { usePrograms } from '../program.js';
import { sh } from '../rawClient.js';

describe('The stdio listener', () => {
  const fixture = usePrograms();

  it('speaks on its standard streams alone, and ends with its input', async () => {
    const program = fixture.run(['--listen', 'stdio']);
    const client = program.client();
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP TERM INT; echo ready; sleep 1000 & wait`));
    await client.told('p', 'output');
    client.send('{"id":1,"method":');
    const failure = await client.until((message) => 'id' in message && message.id === -1);
    assert.match(failure.error?.message ?? '', /^failed to parse JSON-RPC message from exec-server stdio:/);
    program.stdin.end();
    assert.equal(await program.ended, 0);
    assert.deepEqual(await sessionMembers(Number(pid)), []);
    assert.equal(program.stderr(), '');
  });

  it('ends with everything it owns on a signal', async () => {
    const program = fixture.run(['--listen', 'stdio']);
    const client = program.client();
    await client.handshake();
    const { pid } = await client.start('p', sh(`trap '' HUP TERM INT; echo ready; sleep 1000 & wait`));
    await client.told('p', 'output');
    program.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    assert.deepEqual(await sessionMembers(Number(pid)), []);
  });

  it('goes on to listen to a client that does not read', async () => {
    const program = fixture.run(['--listen', 'stdio://']);
    const client = program.client();
    await client.handshake();
    client.transport.setPaused(true);
    const flood = { processId: 'p', argv: sh('yes'), cwd: 'file:///tmp', env: process.env, tty: false };
    client.send({ id: 'start', method: 'process/start', params: flood });
    // The pipe to us is full long before the last of these, because each start takes its time.
    for (let index = 0; index < 10; index++) {
      const flag = path.join(fixture.folder, `flag ${index}`);
      const params = { ...flood, processId: flag, argv: ['touch', flag] };
      client.send({ id: index, method: 'process/start', params });
      await until(() => fs.existsSync(flag));
    }
  });
});
