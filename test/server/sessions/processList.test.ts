import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';

import { lineTransport } from '../../../src/protocol/index.js';
import { ExecServer } from '../../../src/server/execServer.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { RawClient } from '../rawClient.js';

const PROCESSES = 200;
/** Looks at each process; a look at all of them for each would be a hundred. */
const LOOKS = 10;

describe('The list of processes', () => {
  it('takes a time that grows with their number alone', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const server = new ExecServer({
      backend,
      clock,
      environment: { hostEnv: {}, cwd: '/' },
      environmentInfo: { platformOs: 'linux' },
      methods: {},
      reach: 'session',
      detachedMs: 0,
      log: (line) => assert.fail(line),
    });
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    server.accept(lineTransport(toServer, toClient, { peer: 'test' }));
    const client = new RawClient(lineTransport(toClient, toServer, { peer: 'server' }));
    await client.handshake();
    const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => client.start(name, ['true'])));
    let looks = 0;
    for (const process of backend.processes) {
      const { processId } = process;
      Object.defineProperty(process, 'processId', { get: () => ((looks += 1), processId) });
    }
    const { processes } = await client.request('process/list', {});
    assert.deepEqual(
      (processes as { processId: string }[]).map(({ processId }) => processId),
      names,
    );
    assert.ok(looks <= LOOKS * PROCESSES, `${looks} looks`);
    toServer.end();
    await client.ended;
  });
});
