import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../../e2e/waits.js';
import type { TerminalKind } from './messages.js';
import type { DrivenWindow } from './window.js';

export interface FloodFiles {
  /** The file with the text to print: numbered lines. */
  readonly text: string;
  /** How many lines the text has. */
  readonly lines: number;
  /** The length of the text after a terminal has changed its line ends. */
  readonly expectedBytes: number;
  /** A path prefix for new files: no file name begins with it. */
  readonly prefix: string;
}

export interface FloodResult {
  /** Millions of bytes a second, until the end is on the screen. */
  readonly rate: number;
  readonly stallMs: number;
  readonly grownBytes: number;
}

const READY = 'READY-FOR-THE-FLOOD';
const END = 'END-OF-THE-FLOOD';
/** These expressions run in the page. VS Code provides the driver if its smoke tests are enabled. */
const SHOWS_END = `document.querySelector('.terminal-wrapper.active .xterm-rows')?.textContent.includes('${END}')`;
/**
 * Counts the line feeds that the emulator has read, and keeps the notices of missing output: also those that the
 * scrollback has let go of.
 */
const COUNT_LINES = `{
  const terminal = document.querySelector('.terminal-wrapper.active').xterm;
  globalThis.linesRead = 0;
  globalThis.notices = [];
  terminal.onLineFeed(() => globalThis.linesRead++);
  const write = terminal.write.bind(terminal);
  terminal.write = (text, written) => {
    globalThis.notices.push(...(typeof text === 'string' ? text.matchAll(/….* is missing here.*…/g) : []));
    write(text, written);
  };
}`;
const LINES_READ = 'globalThis.linesRead';
const NOTICES = 'globalThis.notices.map(String)';
/** The line that WAIT ends before the text. */
const LINES_BEFORE = 1;
const BUFFER = `driver.getTerminalBuffer('.terminal-wrapper.active')`;
const LIMIT_MS = 300_000;
/** Long enough for every buffer between the program and the screen to be full. */
const FLOOD_MS = 2_000;

/**
 * Both programs wait for a file, so that the terminal is open when the clock starts. They end by themselves if nothing
 * else ends them.
 */
const WAIT = `printf ${READY}; while [ ! -e "$0" ]; do sleep 0.02; done; echo;`;
const CAT = `${WAIT} cat "$1"; printf '${END}'; exec sleep 600`;
const ENDLESS = `${WAIT} exec perl -e '
  use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
  alarm 120;
  $SIG{INT} = sub {
    my $time = clock_gettime(CLOCK_MONOTONIC);
    open(my $file, ">", "$ARGV[0].new"); printf $file "%.6f", $time; close $file;
    rename "$ARGV[0].new", $ARGV[0];
    exit;
  };
  $| = 1;
  for (my $n = 0; ; $n++) { print "$n The quick brown fox jumps over the lazy dog, and back\\n" }
' "$1"`;

/**
 * @throws Error if the emulator did not read every line once, or the text on the screen, and above it, is not the end of
 *   the text.
 */
export async function flood(
  window: DrivenWindow,
  terminal: TerminalKind,
  { text, lines, expectedBytes, prefix }: FloodFiles,
): Promise<FloodResult> {
  const { workbench } = window;
  const go = `${prefix}-flood`;
  await window.ask({ kind: 'open', terminal, argv: ['/bin/sh', '-c', CAT, go, text] });
  await workbench.terminalHas(new RegExp(READY));
  await workbench.page.evaluate(COUNT_LINES);
  await window.ask({ kind: 'watch' });
  const start = performance.now();
  fs.writeFileSync(go, '');
  await workbench.page.waitForFunction(SHOWS_END, undefined, { polling: 20, timeout: LIMIT_MS });
  const ms = performance.now() - start;
  const watch = await window.ask({ kind: 'unwatch' });
  const linesRead = (await workbench.page.evaluate<number>(LINES_READ)) - LINES_BEFORE;
  if (linesRead !== lines) {
    const notices = await workbench.page.evaluate<readonly string[]>(NOTICES);
    throw new Error(
      `The terminal has read ${linesRead} lines of ${lines}, and says: ${notices.join(' ') || 'nothing of it'}`,
    );
  }
  await checkEnd(window, text);
  await window.ask({ kind: 'close' });
  await gone(window);
  if (watch === undefined) {
    throw new Error('The extension host did not watch.');
  }
  return { rate: expectedBytes / 1e6 / (ms / 1000), ...watch };
}

/** @returns Milliseconds from the press of Ctrl-C to the program's handler. */
export async function interrupt(
  window: DrivenWindow,
  terminal: TerminalKind,
  { prefix }: FloodFiles,
): Promise<number> {
  const { workbench } = window;
  const go = `${prefix}-interrupt`;
  const done = `${prefix}-done`;
  await window.ask({ kind: 'open', terminal, argv: ['/bin/sh', '-c', ENDLESS, go, done] });
  await workbench.terminalHas(new RegExp(READY));
  await workbench.focusTerminal();
  fs.writeFileSync(go, '');
  await workbench.terminalHas(/quick brown fox/);
  await delay(FLOOD_MS);
  const pressed = Number(process.hrtime.bigint()) / 1e6;
  await workbench.page.keyboard.press('Control+C');
  await until('the program has its signal', () => fs.existsSync(done), LIMIT_MS);
  const handled = Number(fs.readFileSync(done, 'utf8')) * 1000;
  await window.ask({ kind: 'close' });
  await gone(window);
  return handled - pressed;
}

/** Checks that the terminal's buffer has the last lines of the text, complete and in order. */
async function checkEnd({ workbench }: DrivenWindow, text: string): Promise<void> {
  const lines = await workbench.page.evaluate<readonly string[]>(BUFFER);
  const end = lines.findIndex((line) => line.startsWith(END));
  const shown = lines.slice(0, end).map((line) => line.trimEnd());
  const wanted = lastLines(text, shown.length);
  const first = shown.findIndex((line, index) => line !== wanted[index]);
  if (end < 0 || shown.length < 20 || first >= 0) {
    throw new Error(
      `The terminal does not end as the text does: ${shown.length} lines, ${JSON.stringify(shown[first])} for ${JSON.stringify(wanted[first])}`,
    );
  }
}

function lastLines(file: string, count: number): readonly string[] {
  const size = fs.statSync(file).size;
  const descriptor = fs.openSync(file, 'r');
  try {
    const tail = Buffer.alloc(Math.min(size, (count + 1) * 100));
    fs.readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString().trimEnd().split('\n').slice(-count);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function gone({ workbench }: DrivenWindow): Promise<void> {
  await workbench.page.locator('.terminal-wrapper.active').waitFor({ state: 'detached' });
}
