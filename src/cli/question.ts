import { createInterface } from 'node:readline/promises';

import { type Console, lineText } from './console.js';

/** Asks the person at the terminal. Without one, the answer is no. */
export async function ask(console: Console, question: string): Promise<boolean> {
  const { stdin, stderr, onTerminal } = console;
  if (!onTerminal.input || !stderr.isTTY) {
    return false;
  }
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(lineText(console, `${question} [y/N] `))).trim());
  } finally {
    lines.close();
  }
}
