import assert from 'node:assert/strict';
import fs from 'node:fs';
import zlib from 'node:zlib';

import fc from 'fast-check';

import type { OutputEvent } from '../../../../src/core/index.js';
import { Pattern } from '../../../../src/terminal/pattern.js';
import { type Cursor, searchOutput, START } from '../../../../src/agent/text/index.js';
import { digestOf, logOf, outputOf, pageOf, type Piece } from './output.js';

/** Random bytes with a seed: what looks random is hardest to tell from text in another encoding. */
function noise(length: number): Buffer {
  let state = 20261124;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}

/** An archive with one short file, filled up with NUL as tar does. */
function archiveOf(name: string, text: string): Buffer {
  const archive = Buffer.alloc(10_240);
  archive.write(name, 0);
  for (const [at, field] of [
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [124, text.length.toString(8).padStart(11, '0')],
    [257, 'ustar  '],
    [265, 'root'],
  ] as const) {
    archive.write(field, at);
  }
  archive.write(text, 512);
  return archive;
}

const PIECE = 4_096;

function inPieces(bytes: Buffer, size = PIECE): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

function textOfPipe(...pieces: Piece[]): Promise<string> {
  return digestOf(outputOf(pieces, 'stdout'), { tty: false }).then(({ text }) => text);
}

const keep = 'to keep it, run the command again with "> FILE", or with "| base64" to see it as text';

describe('binary output', () => {
  it('is summed up with its type and size', async () => {
    const node = fs.readFileSync(process.execPath).subarray(0, 200_000);
    const png = fs.readFileSync('media/screenshot.png');
    const gzip = zlib.gzipSync(noise(50_000));
    for (const [bytes, type] of [
      [node, process.platform === 'linux' ? ' (ELF)' : undefined],
      [png, ' (png)'],
      [gzip, ' (gz)'],
      [noise(50_000), ''],
      [archiveOf('name', 'the text of a file\n'), ' (tar)'],
    ] as const) {
      const size = String(bytes.length).replace(/\B(?=(?:\d{3})+$)/g, ',');
      const text = await textOfPipe(...inPieces(bytes));
      assert.ok(
        text.startsWith(`[... ${size} bytes of output not shown: binary${type ?? ''}`),
        text.slice(0, 200),
      );
      assert.ok(text.endsWith(`${keep} ...]\n`), text.slice(-200));
    }
  });

  it('is summed up between lines of text, which are whole', async () => {
    assert.equal(
      await textOfPipe('before\nunfinished', ...inPieces(noise(10_000)), 'after\n'),
      `before\nunfinished\n[... 10,000 bytes of output not shown: binary; ${keep} ...]\nafter\n`,
    );
  });

  it('is told from the text before and after it, in one chunk as well', async () => {
    const program = fs.readFileSync(process.execPath).subarray(0, 20_000);
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');
    for (const count of [1, 100, 2_000]) {
      const chunk = Buffer.concat([
        Buffer.from(lines(count)),
        program,
        Buffer.alloc(100),
        Buffer.from('\nError: ü\n'),
      ]);
      assert.equal(
        await textOfPipe(chunk),
        `${lines(count)}[... 20,100 bytes of output not shown: binary (ELF); ${keep} ...]\n\nError: ü\n`,
        String(count),
      );
    }
    const latin1 = Buffer.from('schöne Öfen für Äpfel\n'.repeat(20), 'latin1');
    assert.match(
      await textOfPipe(Buffer.concat([Buffer.from('before\n'), latin1, Buffer.from('after\n')])),
      /^before\n\[\.\.\. 440 bytes of output not shown: text that is not UTF-8;.*\]\nafter\n$/,
    );
  });

  it('is told from long text between it, in one chunk as well', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('');
    const note = (bytes: string) => `[... ${bytes} bytes of output not shown: binary; ${keep} ...]\n`;
    const chunk = (text: string) => Buffer.concat([noise(9_000), Buffer.from(`\0${text}`), noise(5_000)]);
    assert.equal(await textOfPipe(chunk(lines)), note('9,001') + lines + note('5,000'));
    assert.equal(await textOfPipe(chunk('a line\n')), note('14,008'));
  });

  it('is found wherever it begins in a chunk, after a NUL in text as well', async () => {
    const text = `a name\0\n${'a line\n'.repeat(2_000)}`;
    const latin1 = Buffer.from('schöne Öfen für Äpfel\n'.repeat(400), 'latin1');
    assert.equal(
      await textOfPipe(Buffer.concat([Buffer.from(text), noise(5_000)])),
      `a name␀\na line\n[the line above 1,999 times more]\n[... 5,000 bytes of output not shown: binary; ${keep} ...]\n`,
    );
    assert.match(
      await textOfPipe(Buffer.concat([Buffer.from('a line\n'.repeat(1_000)), latin1])),
      /^a line\n\[the line above 999 times more\]\n\[\.\.\. 8,800 bytes of output not shown: text that is not UTF-8;.*\]\n$/,
    );
  });

  it('has text of its own at the end of a chunk, if more follows', async () => {
    const chunk = Buffer.concat([noise(999), Buffer.from('\0\nsome words\nof its own\n')]);
    assert.match(
      await textOfPipe(chunk, noise(1_000)),
      /^\[\.\.\. 2,023 bytes of output not shown: binary;.*\]\n$/,
    );
    assert.match(
      await textOfPipe(chunk, ['stderr', 'error\n'], 'last\n'),
      /^\[\.\.\. 1,000 bytes of output not shown: binary;.*\]\n\nsome words\nof its own\nerror\nlast\n$/,
    );
  });

  it('has its text at the end of a chunk, also if a character is split there', async () => {
    const bytes = Buffer.concat([noise(9_000), Buffer.from(`\n${'grüße an alle\n'.repeat(150)}grü`)]);
    const whole = await textOfPipe(bytes, 'ße\n');
    const split = await textOfPipe(bytes.subarray(0, -1), bytes.subarray(-1), 'ße\n');
    assert.match(split, /grüße an alle\n/);
    assert.equal(split, whole);
  });

  it('is the same on pages that follow each other @property', async () => {
    const piece = fc.oneof(
      fc.integer({ min: 1, max: 6_000 }).map(noise),
      fc.integer({ min: 1, max: 400 }).map((count) => Buffer.from('some words\n'.repeat(count))),
      fc.integer({ min: 1, max: 400 }).map((count) => Buffer.from('name\0'.repeat(count))),
      fc.integer({ min: 1, max: 400 }).map((count) => Buffer.from('Wörter\r\n'.repeat(count), 'utf16le')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.integer({ min: 500, max: 20_000 }),
        async (pieces, size) => {
          const events = outputOf(inPieces(Buffer.concat(pieces), size), 'stdout');
          const whole = await digestOf(events, { tty: false });
          let paged = '';
          let from: Cursor = START;
          for (let more = true; more;) {
            const page = await pageOf(logOf(events), from, { tty: false, maxTokens: 256 });
            paged += page.text;
            from = page.next;
            more = page.more;
          }
          // A line that is longer than a page is left out there, and said to be.
          fc.pre(!paged.includes(' left out; '));
          // A page that begins with a note does not end the unfinished line before it.
          const inLine = (text: string) => text.replaceAll('\n[...', '[...');
          assert.equal(inLine(paged), inLine(whole.text));
        },
      ),
    );
  });

  it('goes on over the text that a program has in it', async () => {
    const names = Buffer.from('printf\0malloc\0GLIBC_2.2.5\0'.repeat(200));
    const text = await textOfPipe(noise(PIECE), names, noise(PIECE));
    assert.match(text, /^\[\.\.\. 13,392 bytes of output not shown: binary;.*\]\n$/);
  });

  it('says how to read a text in another encoding', async () => {
    const koi8 = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x2c, 0x20, 0xcd, 0xc9, 0xd2, 0x0a]);
    const utf16 = Buffer.from('a text of the Windows kind\r\n'.repeat(10), 'utf16le');
    const how = 'to read it, run the command again with "| iconv -f ENCODING -t UTF-8"';
    assert.equal(
      await textOfPipe(Buffer.concat(Array<Buffer>(20).fill(koi8))),
      `[... 240 bytes of output not shown: text that is not UTF-8; ${how} ...]\n`,
    );
    assert.equal(
      await textOfPipe(utf16),
      `[... 560 bytes of output not shown: text in UTF-16; ${how} ...]\n`,
    );
  });

  it('is recognised by control characters that no text has, and by no others', async () => {
    const ofText = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x1b]);
    for (let code = 0; code < 0x20; code++) {
      const output = outputOf([Buffer.from(`some text${String.fromCharCode(code).repeat(4)}`.repeat(20))]);
      const { text } = await digestOf(output);
      assert.equal(text.includes('not shown'), !ofText.has(code), `0x${code.toString(16)}`);
    }
  });

  it('is not taken from readable text', async () => {
    for (const text of [
      'ein schöner Text, 日本語, emoji 😀\n'.repeat(50),
      Array.from({ length: 500 }, (_, index) => `./usr/share/doc/package-${index}\0`).join(''),
      '\u001b[31mred\u001b[0m \u0007 bell \u000eline drawing\u000f\n'.repeat(50),
      Array.from({ length: 100 }, (_, index) => `\r${index}%\b`).join(''),
    ]) {
      for (const tty of [true, false]) {
        const shown = await digestOf(outputOf([text], tty ? 'pty' : 'stdout'), { tty });
        assert.doesNotMatch(shown.text, /not shown/);
      }
    }
    // A few accents in Latin-1 leave the text readable.
    const latin1 = Buffer.from('Dies ist ein schöner Text über Öl.\n'.repeat(20), 'latin1');
    assert.doesNotMatch(await textOfPipe(latin1), /not shown/);
  });

  it('is told from text wherever the text is cut @property', async () => {
    const text = Buffer.from('日本語のテキスト、絵文字😀 und schöne Wörter\n'.repeat(40));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 48, max: 300 }), async (size) => {
        const shown = await digestOf(outputOf(inPieces(text, size), 'stdout'), { tty: false });
        assert.doesNotMatch(shown.text, /not shown/);
      }),
    );
  });

  it('is on a page from its cursor as well, and can be searched', async () => {
    const secret = Buffer.concat([noise(3_000), Buffer.from('\nneedle in it\n'), noise(3_000)]);
    const events: OutputEvent[] = outputOf(['first\n', secret, 'last\n'], 'stdout');
    const page = await pageOf(logOf(events), { afterSeq: 1, skipBytes: 0 }, { tty: false });
    assert.match(page.text, /^\[\.\.\. 6,014 bytes of output not shown: binary;.*\]\nlast\n$/);
    const found = await searchOutput(logOf(events), {
      pattern: new Pattern('^needle', false),
      from: START,
      maxTokens: 1_000,
      tty: false,
      columns: 80,
    });
    assert.equal(found.total, 1);
  });
});
