import { spawn } from 'node:child_process';

import type { InputMode } from '../../core/index.js';
import { makeSureOfDescriptors } from './systemRoom.js';
import type { OpenTerminals } from './openTerminals.js';

/** A bound for `stty`, which only prints what the kernel tells it; it takes longer only on a machine that hangs. */
const STTY_LIMIT_MS = 2_000;
/** It prints about 1 KB. */
const STTY_CHARACTERS = 16 * 1024;

/**
 * How a terminal takes input, as `stty` reports it: Node itself cannot ask (tcgetattr). The program gets the terminal
 * as its standard input and not as a path. A path may be another terminal's a moment later, and needs another option on
 * each system.
 *
 * Measured with two busy cores (Linux, Node 20): 5 ms until the answer. The fork blocks this process for 3 of them.
 *
 * @param terminal A descriptor of the program's side of the terminal.
 * @param signal Ends it early.
 * @returns undefined if it cannot be told: there is no `stty`, or the terminal has been hung up.
 */
export async function readInputMode(
  terminal: number,
  openTerminals: OpenTerminals,
  signal: AbortSignal,
): Promise<InputMode | undefined> {
  try {
    return parseStty(await runStty(terminal, openTerminals, signal));
  } catch {
    return undefined;
  }
}

/** @returns the output of the program up to its end, even if it was killed. */
async function runStty(terminal: number, openTerminals: OpenTerminals, signal: AbortSignal): Promise<string> {
  makeSureOfDescriptors();
  return new Promise((resolve, reject) => {
    const stty = spawn('stty', ['-a'], {
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: openTerminals.shield([terminal, 'pipe', 'ignore']),
    });
    let said = '';
    const end = () => {
      stty.kill('SIGKILL');
      // Other holders of the pipe need not be waited for.
      stty.stdout?.destroy();
    };
    const timer = setTimeout(end, STTY_LIMIT_MS);
    signal.addEventListener('abort', end);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    stty.stdout?.setEncoding('latin1').on('data', (text: string) => {
      said += text;
      if (said.length > STTY_CHARACTERS) {
        end();
      }
    });
    stty.on('error', (error) => {
      settle();
      reject(error);
    });
    stty.once('close', () => {
      settle();
      resolve(said);
    });
  });
}

/**
 * Parses the output of `stty -a`: words, with a `-` before those that are off. Exported for its test.
 *
 * @returns undefined if it is anything else.
 */
export function parseStty(text: string): InputMode | undefined {
  const words = new Set(text.split(/[\s;]+/));
  const flag = (name: string) => (words.has(name) ? true : words.has(`-${name}`) ? false : undefined);
  const canonical = flag('icanon');
  const echo = flag('echo');
  const enterIsLineFeed = flag('icrnl');
  return canonical === undefined || echo === undefined
    ? undefined
    : { canonical, echo, ...(enterIsLineFeed !== undefined && { enterIsLineFeed }) };
}
