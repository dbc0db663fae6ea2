import { setImmediate } from 'node:timers/promises';

import { OutputDigest, searchOutput, START, type Reader } from '../../../../src/agent/text/index.js';
import { ScreenPainter } from '../../../../src/agent/text/screenPainter.js';
import { runAll } from '../../../../src/agent/text/steps.js';
import { followLines } from '../../../../src/cli/sessions/followLines.js';
import {
  DEFAULT_TERMINAL_SIZE,
  type ExecEvent,
  maskArguments,
  maskSecrets,
  type OutputEvent,
  systemClock,
} from '../../../../src/core/index.js';
import { plainText, portsInText } from '../../../../src/terminal/index.js';
import { Pattern } from '../../../../src/terminal/pattern.js';
import { TerminalFilter } from '../../../../src/terminal/terminalFilter.js';
import type { Doubled } from '../doubled.js';

export interface Doubling {
  readonly args: { readonly of: Doubled };
  /** How many times the processor time twice the text takes. */
  readonly result: { readonly ratio: readonly number[] };
}

/** A shorter time is mostly noise, in milliseconds. */
const LEAST_MS = 50;
const FIRST_UNITS = 16 * 1024;
const DOUBLINGS = 3;
const CHUNK_BYTES = 16 * 1024;
/** Lines that go on, are overwritten and wiped, and look like secrets and sequences. */
const LINES =
  'token=x --password y \u001b[1;31mred\u001b[0m\rback\b\b\u001b[K https://a:b@c/ \u001b]0;title\u0007\n';
const SWITCHES = '\u001b[?1049h\u001b[?1049l';
const SCREENS = '\u001b[?1049hx\u001b[?1049l\u001b[H\u001b[2J\u001bc\u001b[A';

/** By name: makes the input of a length, and returns the work on it. */
const work: Readonly<Record<Doubled, (units: number) => () => unknown>> = {
  'maskSecrets': (units) => {
    const text = filled('--password "x \'$( =:,token=b', units);
    return () => maskSecrets(text);
  },
  'maskArguments': (units) => {
    const argv = filled('token= -u --key a:b@ ', units).split(' ');
    return () => maskArguments(argv);
  },
  'plainText': (units) => {
    const chunks = outputOf(filled(LINES, units));
    return () => plainText(chunks);
  },
  'plainText-line': (units) => {
    const chunks = outputOf(filled('[====>   ]\u001b[3D\u001b[K', units));
    return () => plainText(chunks);
  },
  'followLines': (units) => {
    const chunks = outputOf(filled('==', units), 20);
    return () => follow(chunks);
  },
  'search': (units) => {
    const chunks = outputOf(filled(LINES, units));
    return () => search(chunks);
  },
  'search-line': (units) => {
    const chunks = outputOf(filled('ab ', units));
    return () => search(chunks);
  },
  'filter': (units) => {
    const text = filled(`${LINES}\u001b[`, units);
    return () => new TerminalFilter(() => DEFAULT_TERMINAL_SIZE).write(text, false);
  },
  'filter-open': (units) => {
    const chunks = outputOf(`\u001b]0;${filled('x', units)}`, 64).map(({ bytes }) => String(bytes));
    return () => {
      const filter = new TerminalFilter(() => DEFAULT_TERMINAL_SIZE);
      chunks.forEach((text) => filter.write(text, false));
    };
  },
  'digest': (units) => {
    const chunks = outputOf(filled(LINES, units));
    return () => digest(chunks);
  },
  'digest-switches': (units) => {
    const chunks = outputOf(filled(SWITCHES, units));
    return () => digest(chunks);
  },
  'digest-screens': (units) => {
    const chunks = outputOf(filled(SCREENS, units));
    return () => digest(chunks);
  },
  'ports': (units) => {
    const text = filled('1:11:', units);
    return () => portsInText(text);
  },
  'screen': (units) => {
    const chunks = outputOf(filled(SCREENS, units));
    return () => {
      const painter = new ScreenPainter(DEFAULT_TERMINAL_SIZE);
      chunks.forEach(({ seq, bytes }) => runAll(painter.write(seq, bytes)));
      painter.dispose();
    };
  },
};

/** Compares the processor time of a text, and of one that has been doubled three times. */
export async function doubling({ of }: Doubling['args']): Promise<Doubling['result']> {
  const prepare = work[of];
  let units = FIRST_UNITS;
  let run = prepare(units);
  // The first call compiles.
  await timeOf(run);
  let time = await timeOf(run);
  while (time < LEAST_MS) {
    units *= 2;
    run = prepare(units);
    time = await timeOf(run);
  }
  const before = Math.min(time, await leastOf(run));
  const after = await leastOf(prepare(units * 2 ** DOUBLINGS));
  return { ratio: [(after / before) ** (1 / DOUBLINGS)] };
}

/** The least of three times: others that use the processor only make it longer. */
async function leastOf(run: () => unknown): Promise<number> {
  return Math.min(await timeOf(run), await timeOf(run), await timeOf(run));
}

/** Milliseconds of processor time. */
async function timeOf(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

function filled(text: string, units: number): string {
  return text.repeat(Math.ceil(units / text.length));
}

function outputOf(text: string, chunkBytes = CHUNK_BYTES): readonly OutputEvent[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) => ({
    type: 'output',
    seq: index + 1,
    stream: 'pty',
    bytes: bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  }));
}

const IN_TERMINAL = { tty: true, columns: 80, maxTokens: 4_000 };

function digest(chunks: readonly OutputEvent[]): Promise<unknown> {
  const made = new OutputDigest({ ...IN_TERMINAL, from: START });
  chunks.forEach((chunk) => made.push(chunk));
  return made.finish({ final: true });
}

function search(chunks: readonly OutputEvent[]): Promise<unknown> {
  const reader = readerOf(chunks);
  return searchOutput(reader, { ...IN_TERMINAL, pattern: new Pattern('(x+x+)+y', false) });
}

/** Reads the chunks, whose numbers begin at 1, a few at a time. */
function readerOf(chunks: readonly OutputEvent[]): Reader {
  return {
    read: ({ afterSeq = 0 } = {}) => {
      const next = chunks.slice(afterSeq, afterSeq + 4);
      return Promise.resolve({
        chunks: next,
        nextSeq: afterSeq + next.length + 1,
        exited: true,
        closed: true,
        state: 'closed',
      });
    },
  };
}

/** Looks at the lines of a program that is waited for. */
async function follow(chunks: readonly OutputEvent[]): Promise<void> {
  const over = new AbortController();
  const heard: ((event: ExecEvent) => void)[] = [];
  const result = followLines(
    systemClock,
    {
      subscribe: (_, take) => {
        heard.push(take);
        return {
          state: 'live',
          acknowledge: () => undefined,
          hold: () => undefined,
          dispose: () => undefined,
        };
      },
    },
    over.signal,
    (lines) => lines.find((line) => line.includes('end')),
  );
  for (const chunk of chunks) {
    heard.forEach((take) => take(chunk));
    await setImmediate();
  }
  over.abort();
  await result;
}
