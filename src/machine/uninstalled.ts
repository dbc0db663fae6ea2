import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { readRunning, receiptPlace } from './receipts/index.js';

/**
 * Runs once VS Code has removed the extension. It has no way to speak, so it writes into a file what still runs: the
 * session server goes on without the extension until its sessions have ended, or their time without a window is over.
 */
async function sayWhatRuns(): Promise<void> {
  const place = receiptPlace(process.env);
  const running = place === undefined ? [] : await readRunning(place, Date.now());
  if (place === undefined || running.length === 0) {
    return;
  }
  const lines = running.map(
    ({ title, commandLine, cwd, startedAt }) =>
      `${new Date(startedAt).toISOString()}  ${oneLine(title ?? commandLine)}  in ${oneLine(cwd)}`,
  );
  writeFileSync(
    path.join(path.dirname(place.folder), 'still-running.txt'),
    [
      `When Exec Sessions was removed from VS Code (${new Date().toISOString()}), these sessions were running.`,
      'They go on until they end, or until their time without a window is over; then nothing of the extension runs any more.',
      'To stop them, end the process "exec-server.js sessions", or install the extension again.',
      '',
      ...lines,
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

// Nobody would read why not.
sayWhatRuns().catch(() => undefined);
