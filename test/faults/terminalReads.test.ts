import assert from 'node:assert/strict';

import { LocalBackend } from '../../src/local/index.js';
import { params, sh } from '../support/startParams.js';

const MIB = 1024 * 1024;
const KERNEL_READ_BYTES = 4096;

describe('The output that is read from a terminal @all', () => {
  let backend: LocalBackend;

  beforeEach(() => {
    backend = new LocalBackend();
  });

  afterEach(() => backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } }));

  /** The whole output of a script, in the chunks in which it was delivered. */
  const chunksOf = async (script: string, processId: string): Promise<readonly Uint8Array[]> => {
    const process = await backend.start(params({ argv: sh(script), tty: true, processId }));
    const chunks: Uint8Array[] = [];
    await new Promise<void>((resolve) => {
      process.subscribe({}, (event) => {
        if (event.type === 'output') {
          chunks.push(event.bytes);
        } else if (event.type === 'closed') {
          resolve();
        }
      });
    });
    return chunks;
  };

  it('comes in chunks of many reads while there is much, and stays as it was', async () => {
    const flood = (letter: string) => `head -c ${8 * MIB} /dev/zero | tr '\\0' ${letter}`;
    const letters = ['a', 'b', 'c'];
    const all = await Promise.all(letters.map((letter) => chunksOf(flood(letter), letter)));
    for (const [index, letter] of letters.entries()) {
      const chunks = all[index] ?? [];
      // All output is read into the same memory.
      assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(8 * MIB, letter)), letter);
      assert.ok(chunks.every(({ byteLength }) => byteLength <= 64 * 1024));
    }
    const average = (letters.length * 8 * MIB) / all.flat().length;
    assert.ok(average > 2 * KERNEL_READ_BYTES, `${average} bytes`);
  });

  it('comes at once while there is little', async () => {
    const process = await backend.start(params({ argv: sh('stty raw -echo; echo; exec cat'), tty: true }));
    const echoes: string[] = [];
    let heard: () => void = () => undefined;
    process.subscribe({}, (event) => {
      if (event.type === 'output') {
        echoes.push(Buffer.from(event.bytes).toString());
        heard();
      }
    });
    const next = () => new Promise<void>((resolve) => (heard = resolve));
    await next();
    for (const key of 'abc') {
      const echo = next();
      await process.write(Buffer.from(key));
      await echo;
    }
    assert.equal(echoes.join('').trim(), 'abc');
    await process.terminate();
  });
});
