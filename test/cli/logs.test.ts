import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { useMachine } from '../server/machine/machineFixture.js';
import { runLine } from './cliFixture.js';

/** Longer than the times of new output are apart. */
const APART_MS = 150;

describe('exec-sessions logs --since', () => {
  const machine = useMachine();
  const output = async (line: string): Promise<string> => {
    const { stdout, stderr, code } = await runLine(machine, line);
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    return stdout;
  };

  it('prints what came then, later, and from now on', async () => {
    await output('exec-sessions run --detach --pipes --title it -- cat');
    await output('exec-sessions send it one; exec-sessions wait it --for /one/');
    await delay(APART_MS);
    const time = new Date().toISOString();
    await output('exec-sessions send it two; exec-sessions wait it --for /two/');
    assert.equal(await output('exec-sessions logs it --since 1h'), 'one\ntwo\n');
    assert.equal(await output(`exec-sessions logs it --since ${time}`), 'two\n');
    assert.equal(await output(`exec-sessions logs it --plain --since ${time}`), 'two\n');
    assert.equal(await output('exec-sessions logs it --since 2100-01-01'), '');
    const following = output(`exec-sessions logs -f it --since ${time}`);
    await output('exec-sessions send it three; exec-sessions wait it --for /three/; exec-sessions kill it');
    assert.equal(await following, 'two\nthree\n');
  });
});
