import assert from 'node:assert/strict';

import { OutputTurns } from '../../../src/server/sessions/outputTurns.js';
import { ProcessOutput } from '../../../src/server/sessions/processOutput.js';
import { utf8 } from '../../support/bytes.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedProcess } from '../../support/scriptedBackend.js';
import { FakeConnection } from './connectionContext.js';

describe('The output of a process', () => {
  it('is sent unchanged, also output that came before the first answer', async () => {
    const params = { processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: true };
    const process = new ScriptedProcess(params, new FakeClock(), () => undefined);
    const { wire } = new FakeConnection();
    const sent: string[] = [];
    wire.sendOutput = ({ bytes }) => void sent.push(Buffer.from(bytes).toString());
    const turns = new OutputTurns();
    const output = new ProcessOutput({
      process,
      processId: 'p',
      wire,
      turns,
      afterSeq: 0,
      windowBytes: undefined,
    });
    await Promise.resolve();
    // As with a terminal, which reads all output into the same memory.
    const memory = utf8('early');
    process.log.appendOutput('pty', memory, true);
    memory.set(utf8('later'));
    assert.deepEqual(sent, []);
    output.open();
    assert.deepEqual(sent, ['early']);
    process.log.appendOutput('pty', memory, true);
    assert.deepEqual(sent, ['early', 'later']);
    output.dispose();
  });
});
