import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { systemClock } from '../core/index.js';
import { removeCopies } from './copyRemoval.js';
import { findServers } from './findServers.js';
import { OutputFolder } from './outputFiles/index.js';
import { type ReceiptPlace, receiptPlace } from './receipts/index.js';
import { findRunning, type RunningSession } from './stillRunning.js';
import { copiesFolder } from './userFolders.js';

/** Removes the files of the program that no session server uses any more; those that run remove theirs at their end. */
async function removeFiles(): Promise<void> {
  const running = await findServers(process.env);
  const isUsed = (name: string) => running.some(({ files }) => name.endsWith(`-${files}`));
  await removeCopies(isUsed, { folder: copiesFolder(process.env), clock: systemClock });
}

/**
 * Writes into a file what still runs, and which files are left, since it has no way to speak: the session server goes on
 * without the extension until its sessions have ended, or their time without a window is over, and what was kept of sessions
 * is the user's.
 */
async function sayWhatIsLeft(): Promise<void> {
  const place = receiptPlace(process.env);
  if (place === undefined) {
    return;
  }
  const running = runningText(await findRunning(process.env, Date.now()));
  const files = await filesText(place);
  if (running.length + files.length > 0) {
    const folder = path.dirname(place.folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(
      path.join(folder, 'still-running.txt'),
      [
        `Exec Sessions was removed from VS Code (${new Date().toISOString()}).`,
        ...running,
        ...files,
        '',
      ].join('\n'),
      { mode: 0o600 },
    );
  }
}

function runningText(running: readonly RunningSession[]): readonly string[] {
  return running.length === 0
    ? []
    : [
        '',
        'These sessions were running. They go on until they end, or until their time without a window is over; then nothing of the extension runs any more.',
        'To stop all of them, end the process "exec-server.js sessions", or install the extension again.',
        ...HOW_TO_STOP,
        '',
        'STARTED                   PID  BY  NAME',
        ...running.map(lineOf),
      ];
}

const HOW_TO_STOP =
  process.platform === 'win32'
    ? [
        'To stop one: see whether PID is still its process, since numbers are used again. Then end it and what it started:',
        '  tasklist /FI "PID eq PID"',
        '  taskkill /F /T /PID PID',
      ]
    : [
        'To stop one: see whether PID was started at that time, since numbers are used again. Then end it and what it started, with KILL in place of HUP what ignores that:',
        '  TZ=UTC0 ps -o lstart=,args= -p PID',
        '  kill -HUP -- -PID',
      ];

function lineOf({ startedAt, pid, starter, name, cwd }: RunningSession): string {
  const started = startedAt === undefined ? '?' : new Date(startedAt).toISOString();
  const place = cwd === undefined ? '' : `  in ${oneLine(cwd)}`;
  return `${started}  ${pid ?? '?'}  ${oneLine(starter ?? '?')}  ${oneLine(name)}${place}`;
}

/** What only the user can want to remove. */
async function filesText(place: ReceiptPlace): Promise<readonly string[]> {
  const output = await OutputFolder.of(process.env).list();
  const bytes = output.reduce((sum, one) => sum + one.bytes, 0);
  const copies = copiesFolder(process.env);
  const folders = [
    ...(output.length === 0
      ? []
      : [
          `${path.join(path.dirname(place.folder), 'output')}  what ${output.length} sessions have printed (${bytes} bytes); it may hold secrets`,
        ]),
    ...(existsSync(place.folder) ? [`${place.folder}  how sessions have ended, with their commands`] : []),
    ...(existsSync(copies)
      ? [`${copies}  files of the program; the session server removes those that it runs from at its end`]
      : []),
  ];
  return folders.length === 0
    ? []
    : [
        '',
        'These folders are left, for you alone to read. Delete them once no session runs:',
        '',
        ...folders,
      ];
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

// Runs once VS Code has removed the extension. Nobody would read why it cannot.
removeFiles()
  .catch(() => undefined)
  .then(sayWhatIsLeft)
  .catch(() => undefined);
