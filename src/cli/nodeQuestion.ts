import type { InstallStep, NodeQuestion } from '../engines/index.js';
import { type Console, remark } from './console.js';
import { ask } from './question.js';

/** Asks the person at the terminal. Where nobody is, the answer is no. */
export function askForNode(console: Console, { target, version, bytes }: NodeQuestion): Promise<boolean> {
  const megabytes = Math.ceil(bytes / 1_000_000);
  return ask(
    console,
    `${target} has no Node of version 20 or newer. Send Node ${version} (${megabytes} MB)?`,
  );
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
