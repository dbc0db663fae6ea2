import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

import { usePrograms } from '../server/program.js';
import { describeLimits } from '../support/limitedUser.js';
import { WITHOUT_BASH } from '../support/ownMounts.js';

describeLimits('The threads for files @all', () => {
  const fixture = usePrograms();
  /** More threads than a server has for everything else, so that the count tells whether they are there. */
  const THREADS = 64;
  /** The pipes that bash makes are opened, which would bring the threads as well. */
  const prefix = WITHOUT_BASH;
  const env = { UV_THREADPOOL_SIZE: String(THREADS) };
  const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`).length;

  const starts: Readonly<Record<string, () => readonly string[]>> = {
    'a server listens on a WebSocket address': () => ['--listen', 'ws://127.0.0.1:0'],
    'a server listens on a private socket': () => ['--listen', `unix:${fixture.folder}/socket`],
    'the session server of a machine listens': () => ['sessions', '--socket', `${fixture.folder}/run/s.sock`],
  };
  for (const [when, args] of Object.entries(starts)) {
    it(`all exist when ${when}`, async () => {
      const program = fixture.run(args(), { env, prefix });
      await program.ready;
      assert.ok(threadsOf(program.pid) > THREADS);
    });
  }

  it('all exist when a server on its standard streams answers', async () => {
    const program = fixture.run(['--listen', 'stdio'], { env, prefix });
    await program.client().handshake();
    assert.ok(threadsOf(program.pid) > THREADS);
  });

  it('all exist when the server of tools answers', async () => {
    const program = fixture.run(['mcp', '--alone'], { env, prefix });
    const client = program.client();
    const clientInfo = { name: 'x', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
    await client.until((message) => 'id' in message && message.id === 1);
    assert.ok(threadsOf(program.pid) > THREADS);
  });
});
