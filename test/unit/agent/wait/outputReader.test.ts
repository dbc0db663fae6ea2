import assert from 'node:assert/strict';

import { OutputReader, type OutputSink } from '../../../../src/agent/wait/outputReader.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';
import { params } from '../../../support/startParams.js';
import { settle } from '../scriptedHost.js';

describe('A reader of a log', () => {
  it('gives a flood in slices, and leaves room for others between them', async () => {
    const clock = new FakeClock(0);
    const process = await new ScriptedBackend(clock).start(params({ argv: ['x'] }));
    const text = 'x'.repeat(1_000);
    for (let chunk = 0; chunk < 200; chunk++) {
      process.prints(text);
    }
    let slice = 0;
    let total = 0;
    const slices: number[] = [];
    const sink: OutputSink = {
      push: (event) => {
        const bytes = event.type === 'output' ? event.bytes.byteLength : 0;
        slice += bytes;
        total += bytes;
      },
      drained: async () => {
        slices.push(slice);
        slice = 0;
        await settle();
      },
    };
    const reader = new OutputReader(process, 0, [sink], clock);
    assert.equal(reader.behind, true);
    await reader.caughtUp();
    assert.equal(reader.behind, false);
    assert.equal(total, 200_000);
    assert.ok(slices.length > 5 && Math.max(...slices) < 20_000, slices.join(' '));
    reader.dispose();
  });

  it('resolves for those who wait when it is disposed', async () => {
    const clock = new FakeClock(0);
    const process = await new ScriptedBackend(clock).start(params({ argv: ['x'] }));
    process.prints('x');
    const never: OutputSink = { push: () => undefined, drained: () => new Promise(() => undefined) };
    const reader = new OutputReader(process, 0, [never], clock);
    const caughtUp = reader.caughtUp();
    reader.dispose();
    await caughtUp;
  });
});
