// Prints the table of speeds in results/speed.md:
//   NODE_OPTIONS=--expose-gc npx tsx test/unit/agent/text/speed.ts
import { OutputDigest, START } from '../../../../src/agent/text/index.js';

const CHUNKS = 16;
const BYTES = 100e6;

/** This many lines, with numbers that do not recur. */
function lines(chunk: number, line: (id: string) => string): string {
  return Array.from({ length: 1_000 }, (_, index) => line(`${chunk}${index}`)).join('');
}

const SAMPLES: readonly (readonly [name: string, tty: boolean, chunk: (index: number) => string])[] = [
  ['`yes`', false, () => 'y\n'.repeat(32_768)],
  [
    'log lines of 60 bytes',
    false,
    (chunk) => lines(chunk, (id) => `2024-01-01 12:00:00 INFO request ${id} served in 12 ms\n`),
  ],
  [
    'lines with an error in each',
    false,
    (chunk) => lines(chunk, (id) => `error ${id}: something failed badly\n`),
  ],
  ['lines that are not ASCII', false, (chunk) => lines(chunk, (id) => `запрос ${id} обработан за 12 мс ✔\n`)],
  ['one line without an end', false, () => 'x'.repeat(65_536)],
  [
    'coloured lines, in a terminal',
    true,
    (chunk) => lines(chunk, (id) => `\u001b[32mINFO\u001b[0m request ${id} \u001b[1mserved\u001b[0m\r\n`),
  ],
  [
    'a progress bar with `\\r`, in a terminal',
    true,
    (chunk) => lines(chunk, (id) => `\r[#####     ] ${id}/100000 files`),
  ],
  [
    'three lines drawn again and again',
    true,
    (chunk) => lines(chunk, (id) => `\u001b[3A\u001b[2Kone ${id}\r\n\u001b[2Ktwo\r\n\u001b[2Kthree\r\n`),
  ],
  [
    'a full-screen program',
    true,
    (chunk) =>
      `\u001b[?1049h${lines(chunk, (id) => `\u001b[${Number(id) % 24};1Hrow ${id}, and words to fill it\u001b[K`)}`,
  ],
];

function collectGarbage(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

async function main(): Promise<void> {
  for (const [name, tty, chunk] of SAMPLES) {
    const chunks = Array.from({ length: CHUNKS }, (_, index) => Buffer.from(chunk(index)));
    const before = collectGarbage();
    const digest = new OutputDigest({ maxTokens: 10_000, tty, columns: 80, from: START });
    const started = performance.now();
    let bytes = 0;
    for (let seq = 1; bytes < BYTES; seq++) {
      const piece = chunks[seq % CHUNKS] ?? Buffer.alloc(0);
      digest.push({ type: 'output', seq, stream: tty ? 'pty' : 'stdout', bytes: piece });
      bytes += piece.length;
      await digest.drained();
    }
    const speed = bytes / 1e3 / (performance.now() - started);
    const held = (collectGarbage() - before) / 1e6;
    void digest.finish({ final: true });
    process.stdout.write(`| ${name} | ${speed.toFixed(0)} MB/s | ${held.toFixed(1)} MB |\n`);
  }
}

void main();
