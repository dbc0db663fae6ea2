import { createInterface } from 'node:readline/promises';

import type { InstallStep, NodeQuestion } from '../engines/index.js';
import { type Console, lineText, remark } from './console.js';

/** Asks the person at the terminal. Where nobody is, the answer is no. */
export async function askForNode(
  console: Console,
  { target, version, bytes }: NodeQuestion,
): Promise<boolean> {
  const { stdin, stderr, onTerminal } = console;
  if (!onTerminal.input || !stderr.isTTY) {
    return false;
  }
  const megabytes = Math.ceil(bytes / 1_000_000);
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const question = `${target} has no Node of version 20 or newer. Send Node ${version} (${megabytes} MB)? [y/N] `;
    return /^y(?:es)?$/i.test((await lines.question(lineText(console, question))).trim());
  } finally {
    lines.close();
  }
}

const STEPS: Readonly<Partial<Record<InstallStep, string>>> = {
  fetchNode: 'npm fetches Node…',
  sendNode: 'Sending Node…',
  sendServer: 'Sending the server…',
};

/** Says what takes time. */
export function sayStep(console: Console, step: InstallStep): void {
  const text = STEPS[step];
  if (text !== undefined && console.stderr.isTTY) {
    remark(console, text);
  }
}
