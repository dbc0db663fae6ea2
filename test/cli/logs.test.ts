import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { useMachine } from '../server/machine/machineFixture.js';
import { runLine, useTerminals } from './cliFixture.js';

/** Longer than the times of new output are apart. */
const APART_MS = 150;

describe('exec-sessions logs', () => {
  const machine = useMachine();
  const open = useTerminals(machine);
  const output = async (line: string): Promise<string> => {
    const { stdout, stderr, code } = await runLine(machine, line);
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    return stdout;
  };

  it('prints what came after --since, later, and from now on', async () => {
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

  /** Starts a program that prints two texts, the second one when it gets a line. Both are for printf. */
  const start = (mode: string, first: string, second: string) =>
    output(
      `exec-sessions run --detach ${mode} --title it -- sh -c "printf '${first}'; read x; printf '${second}'"`,
    );

  for (const [what, last, shown] of [
    ['without a line end', 'last', 'last'],
    ['in half a character', 'last\\303', 'last\ufffd'],
    ['in half a sequence', 'last\\033[3', 'last'],
    ['in a string without an end', 'last\\033]0;title', 'last'],
  ] as const) {
    it(`prints the last line of output that ends ${what}`, async () => {
      await start('--pipes', 'a\\n', last);
      const following = output('exec-sessions wait it --for /a/; exec-sessions logs -f --plain it');
      const terminal = await open(['logs', '-f', 'it']);
      await terminal.shows('a');
      await output('exec-sessions send it now');
      assert.equal(await following, `a\n${shown}`);
      assert.equal(await output('exec-sessions logs --plain it'), `a\n${shown}`);
      await terminal.ended();
      assert.equal(visible(terminal.text), `a\r\r\n${shown}`);
    });
  }

  for (const [what, first, second, shown] of [
    ['a character', 'x\\303', '\\251', 'x\u00e9'],
    ['a sequence', 'x\\033[3', '1my', 'xy'],
  ] as const) {
    it(`joins ${what} that comes in two pieces after a line end`, async () => {
      await start('--pipes', `a\\n${first}`, second);
      const following = output('exec-sessions wait it --for /x/; exec-sessions logs -f --plain it');
      await output('exec-sessions send it now');
      assert.equal(await following, `a\n${shown}`);
    });
  }
});

/** The text without its colours. */
function visible(text: string): string {
  return text.replace(/\u001b\[\d*m/g, '');
}
