import assert from 'node:assert/strict';

import { MIN_TOKENS } from '../../../../src/agent/text/index.js';
import { digestOf, outputOf } from './output.js';

const NOTE =
  '[a full-screen program has the terminal: this is only what it has changed; mode="screen" of read_output shows all of it]\n';
const ENTER = '\u001b[?1049h\u001b[H';
const LEAVE = '\u001b[?1049l';

/** The text of what follows after output that an agent has got already. */
async function afterThat(got: string, follows: string): Promise<string> {
  const { fullScreen } = await digestOf(outputOf([got]), { final: false });
  return (await digestOf(outputOf([follows]), { fullScreen })).text;
}

describe('what a full-screen program has changed', () => {
  it('is told as that', async () => {
    assert.equal(await afterThat(`$ vim\r\n${ENTER}~\r\n~`, '\u001b[24;1H:set'), `${NOTE}:set\n`);
    assert.equal(await afterThat(`${ENTER}~`, 'text'), `${NOTE}text\n`);
  });

  it('is not a whole screen, nor what follows the program', async () => {
    assert.doesNotMatch((await digestOf(outputOf([`${ENTER}~\r\n`]))).text, /only what it has changed/);
    assert.equal(await afterThat(`${ENTER}~${LEAVE}`, '$ ls\r\n'), '$ ls\n');
    assert.equal(await afterThat(`${ENTER}~`, `${LEAVE}$ ls\r\n`), '$ ls\n');
    assert.equal(await afterThat(`${ENTER}~`, '\u001bc$ ls\r\n'), '$ ls\n');
    const anew = await afterThat(`${ENTER}~`, `${LEAVE}${ENTER}whole`);
    assert.equal(
      anew,
      '[a full-screen program has the terminal; its screen so far:]\nwhole\n[end of its screen]\n',
    );
  });

  it('contains no blank rows where the program ends', async () => {
    assert.equal(
      await afterThat(`${ENTER}~`, `\u001b[1;1Hone\u001b[9;1Hnine\u001b[2;1Htwo${LEAVE}$ ls\r\n`),
      `${NOTE}one\ntwo\nnine\n$ ls\n`,
    );
  });

  it('leaves out rows that have left the screen', async () => {
    const rows = (from: number) => Array.from({ length: 24 }, (_, row) => `row ${from + row}`);
    const text = await afterThat(`${ENTER}~`, [...rows(0), '...skipping...', ...rows(100)].join('\r\n'));
    assert.equal(text, `${NOTE}${rows(100).join('\n')}\n`);
  });

  it('is marked again as long as the program goes on', async () => {
    const { fullScreen } = await digestOf(outputOf(['more']), { fullScreen: true });
    assert.equal(fullScreen, true);
    assert.equal((await digestOf(outputOf([`${LEAVE}$ `]), { fullScreen })).fullScreen, false);
  });

  it('says nothing where there is nothing', async () => {
    assert.equal(await afterThat(`${ENTER}~`, '\u001b[?25h'), '');
  });

  it('fits the budget with its note', async () => {
    const { text } = await digestOf(outputOf(['x'.repeat(10_000)]), {
      fullScreen: true,
      maxTokens: MIN_TOKENS,
    });
    assert.ok(text.startsWith(NOTE));
    assert.ok(text.length <= MIN_TOKENS * 4);
  });
});
