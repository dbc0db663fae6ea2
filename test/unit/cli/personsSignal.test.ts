import assert from 'node:assert/strict';

import { signalAsPerson } from '../../../src/cli/sessions/personsSignal.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';

describe('A signal of the person at the command line', () => {
  const start = async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    await backend.start({ processId: 'p', argv: ['a'], cwd: '/', env: {}, tty: true });
    const process = backend.processes.at(-1) ?? assert.fail();
    const send = (name: string) => signalAsPerson(process, name, clock);
    return { process, send, noted: () => process.info().metadata['signalledBy'] };
  };

  it('is remembered with the process', async () => {
    const { process, send, noted } = await start();
    await send('SIGINT');
    assert.deepEqual(process.signals, ['SIGINT']);
    assert.equal((noted() as { kind?: unknown }).kind, 'person');
  });

  it('is forgotten if it could not be sent, and the earlier one is kept', async () => {
    const { process, send, noted } = await start();
    process.signal = () => Promise.reject(new Error('no such signal'));
    await assert.rejects(send('SIGINT'), /no such signal/);
    assert.equal(noted() ?? undefined, undefined);
    const before = { kind: 'agent', signal: 'SIGTERM' };
    await process.describe({ signalledBy: before });
    await assert.rejects(send('SIGINT'), /no such signal/);
    assert.deepEqual(noted(), before);
  });
});
