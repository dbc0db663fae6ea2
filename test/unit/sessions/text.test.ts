import assert from 'node:assert/strict';
import { english, oneLine, shorten } from '../../../src/core/index.js';
import { byteText, longDuration, shortAgo, shortDuration } from '../../../src/sessions/words/quantities.js';
import {
  codeBlock,
  dialogText,
  nameInMessage,
  terminalName,
  visible,
  withoutIcons,
} from '../../../src/sessions/words/text.js';
import { DAY, HOUR, MINUTE } from './snapshots.js';

describe('texts about sessions', () => {
  it('are short where there is little room', () => {
    const texts = [-5, 0, MINUTE, 59 * MINUTE, HOUR, HOUR + MINUTE, DAY, DAY + 5 * HOUR + MINUTE].map((ms) =>
      shortDuration(ms, english),
    );
    assert.deepEqual(texts, ['< 1 m', '< 1 m', '1 m', '59 m', '1 h', '1 h 1 m', '1 d', '1 d 5 h']);
    assert.equal(shortAgo(MINUTE - 1, english), 'just now');
    assert.equal(shortAgo(MINUTE, english), '1 m ago');
  });

  it('are no links in messages, on one line, and as long as a message may be', () => {
    const said = dialogText('refused:\n[Update](command:workbench.action.quit)\u202e now');
    assert.equal(said, 'refused: [Update] (command:workbench.action.quit) now');
    assert.equal(dialogText('x'.repeat(5_000)).length, 1_000);
    assert.equal(dialogText(']('.repeat(500)).length, 1_000);
  });

  it('are whole words elsewhere', () => {
    const texts = [0, MINUTE, 5 * MINUTE, HOUR, 7 * HOUR, DAY, 9 * DAY].map((ms) =>
      longDuration(ms, english),
    );
    assert.deepEqual(texts, [
      'less than a minute',
      'one minute',
      '5 minutes',
      'one hour',
      '7 hours',
      'one day',
      '9 days',
    ]);
  });

  it('count bytes for people', () => {
    const texts = [0, 1, 1023, 1024, 20 * 1024, 1024 ** 2, 3 * 1024 ** 3].map((bytes) =>
      byteText(bytes, english),
    );
    assert.deepEqual(texts, ['0 bytes', '1 byte', '1023 bytes', '1.0 KiB', '20 KiB', '1.0 MiB', '3.0 GiB']);
  });

  it('never turn a name in a message into a link', () => {
    assert.equal(nameInMessage('[a](command:b)'), '[a] (command:b)');
    assert.equal(nameInMessage(`x\r\n${'y'.repeat(100)}`).length, 60);
  });

  it('never make an icon out of a command substitution', () => {
    assert.equal(withoutIcons('echo $(date) $(cat x)'), 'echo \\$(date) $(cat x)');
    assert.equal(withoutIcons('\\$(date)'), '\\$(date)');
    assert.equal(terminalName('echo $(date) $x'), 'echo $\u200b(date) $x');
  });

  it('never hide or reorder what they say', () => {
    assert.equal(oneLine('rm\u202e -rf\u200b\u2066 /\n# x'), 'rm -rf / # x');
    assert.equal(
      visible('a\u202eb\u200bc\u2067d\u0007\ufeff\r\n\te\rf'),
      'a\ufffdb\ufffdc\ufffdd\ufffd\ufffd\n\te\ufffdf',
    );
    assert.equal(visible('👩\u200d👧 ❤\ufe0f'), '👩\u200d👧 ❤\ufe0f');
  });

  it('cut between characters', () => {
    assert.equal(shorten('äöü', 3), 'äöü');
    assert.equal(shorten('🚀🚀🚀', 2), '🚀…');
  });

  it('fence code so that nothing in it ends the block', () => {
    assert.equal(codeBlock('a ```` b'), '`````\na ```` b\n`````');
    assert.equal(codeBlock('plain', 'sh'), '```sh\nplain\n```');
  });
});
