import assert from 'node:assert/strict';
import { english, type OutputChunk, type OutputStream } from '../../../src/core/index.js';
import { evictionNote } from '../../../src/sessions/words/evictionNote.js';
import { PlainText, plainText } from '../../../src/terminal/plainText.js';
import { evictedOutput } from '../sessions/snapshots.js';

const chunk = (seq: number, bytes: Uint8Array, stream: OutputStream = 'pty'): OutputChunk => ({
  seq,
  stream,
  bytes,
});

describe('output as text', () => {
  const cases: readonly (readonly [name: string, output: string, text: string])[] = [
    ['colours', '\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m', 'red rgb'],
    ['a title that BEL ends', '\x1b]0;title\x07$ ', '$ '],
    ['a title that ST ends', '\x1b]2;title\x1b\\$ ', '$ '],
    ['a link', '\x1b]8;;http://x/\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a device control string', 'a\x1bP1$r0m\x1b\\b', 'ab'],
    ['a character set', '\x1b(Ba\x1b)0b\x1b=c\x1b7d', 'abcd'],
    ['line ends', 'one\r\ntwo\r\r\nthree\n', 'one\ntwo\nthree\n'],
    ['a progress bar', ' 10 %\r 50 %\r100 %\n', '100 %\n'],
    ['a shorter text over a longer one', 'downloading\rdone\x1b[K\n', 'done\n'],
    ['a line that is erased first', 'downloading\x1b[2K\rdone\n', 'done\n'],
    ['words after an erased line', 'loading\x1b[2Kdone\n', '       done\n'],
    ['a typing error', 'lx\b \bs', 'ls'],
    ['bells and other controls', 'a\x07b\x00c\x0ed\x7fe', 'abcde'],
    ['tabs', 'a\tb', 'a\tb'],
    ['wide and combined characters', '漢字 é 👩‍💻', '漢字 é 👩‍💻'],
    ['a sequence that is cut off', 'text\x1b[38;5', 'text'],
    ['a title that is cut off', 'text\x1b]0;unfinished', 'text'],
    ['an escape in a title', '\x1b]0;a\x1b[31mb', 'b'],
  ];
  for (const [name, output, text] of cases) {
    it(`is readable: ${name}`, () => assert.equal(plainText([chunk(1, Buffer.from(output))]), text));
  }

  it('puts characters together that were split over chunks, for each stream by itself', () => {
    const [first = 0, second = 0] = Buffer.from('é');
    const chunks = [
      chunk(1, Uint8Array.of(first), 'stdout'),
      chunk(2, Buffer.from('error\n'), 'stderr'),
      chunk(3, Uint8Array.of(second, 10), 'stdout'),
    ];
    assert.equal(plainText(chunks), 'error\né\n');
  });

  it('takes away a colour that was split over chunks', () => {
    assert.equal(plainText([chunk(1, Buffer.from('a\x1b[3')), chunk(2, Buffer.from('1mb'))]), 'ab');
  });

  it('says first what is missing', () => {
    assert.equal(evictionNote(evictedOutput(2048, 0), english), '');
    assert.equal(
      evictionNote(evictedOutput(3 * 1024 ** 2, 2 * 1024 ** 2), english),
      '[2.0 MiB of older output are no longer kept; 1.0 MiB follow]\n',
    );
  });

  it('is made in linear time, whatever the output', () => {
    const wiped = ['\x1b[2Kx', '\x1b[K\x1b[D', '\x1b[2K\x1b[Dx'];
    for (const part of ['\x1b]', '\x1b[', '\x1b[0;', '\r', '\b', '\x1bP\x1b', '\x9b', ...wiped]) {
      const bytes = Buffer.from('x'.repeat(300_000) + part.repeat(100_000));
      // If each part looked at all before it, this would outlast the limit of a test.
      plainText([chunk(1, bytes)]);
    }
  });

  it('tells what stands in front of the cursor', () => {
    for (const [output, text] of [
      ['old\r\nProceed? ', 'Proceed? '],
      ['done\r\n', ''],
      ['building 12%\r', ''],
      ['building 12%\r\x1b[K? ', '? '],
      ['abc\b\b', 'a'],
      ['abc\x1b[3G', 'ab'],
    ]) {
      const document = new PlainText();
      document.write(chunk(1, Buffer.from(output ?? '')));
      assert.equal(document.beforeCursor, text);
    }
  });
});
