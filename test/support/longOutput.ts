import fs from 'node:fs';
import path from 'node:path';

import type { ExecBackend, ExecProcess } from '../../src/core/index.js';
import { type Machine, OutputFolder } from '../../src/machine/index.js';
import { textOf } from './bytes.js';
import { until } from './until.js';

/** A part of a long output: a command line of `sh`, and the last text that it prints. */
export interface Part {
  readonly print: string;
  readonly end: string;
}

/** More than memory keeps by default. */
export const NUMBERS: readonly Part[] = [
  { print: 'seq 1 200000', end: '\n200000\n' },
  { print: 'seq 200001 400000', end: '\n400000\n' },
];

/** Prints each part when it gets a line, and ends with one more. */
export function scriptOf(parts: readonly Part[]): string {
  return [...parts.map(({ print }) => `read x; ${print}`), 'read x'].join('; ');
}

/** Has the only process of a server print its parts; each is on disk before the next one. It goes on to run. */
export async function keepOnDisk(backend: ExecBackend, parts: readonly Part[]): Promise<ExecProcess> {
  const [info] = await backend.list();
  const process = await backend.attach(info?.processId ?? '');
  await process.describe({ keepOutput: true });
  for (const { end } of parts) {
    await process.write(Buffer.from('\n'));
    await until(
      async () => textOf((await process.read()).chunks),
      (seen) => seen.endsWith(end),
    );
    // It is answered when all is on disk that was printed before.
    await process.readKept({ afterSeq: process.info().output.lastSeq, maxBytes: 1 });
  }
  return process;
}

/** Has a server write {@link NUMBERS} into two files. */
export async function keepInTwoFiles(backend: Machine['backend']): Promise<void> {
  const disk = { keep: false, bytes: 4 * 1024 * 1024, allBytes: 200 * 1024 * 1024 };
  await backend.keepWithoutClient({ personSeconds: -1, agentSeconds: -1, disk });
}

/** Takes bytes from the end of the only file, whose writer may have been killed before it had written them. */
export function cutOnlyFile(env: NodeJS.ProcessEnv, bytes: number): void {
  const [only, ...others] = outputFilesIn(OutputFolder.of(env).path ?? '');
  if (only === undefined || others.length > 0) {
    throw new Error(`There are ${[only, ...others].join(', ')}.`);
  }
  cut(only, bytes);
}

/** Takes bytes from the end of the older of the only two files, as a failure of the machine may. */
export function cutOlderFile(env: NodeJS.ProcessEnv, bytes: number): void {
  const [older, newer, ...others] = outputFilesIn(OutputFolder.of(env).path ?? '');
  if (older === undefined || newer === undefined || others.length > 0) {
    throw new Error(`There are ${[older, newer, ...others].join(', ')}.`);
  }
  cut(older, bytes);
}

/** The files with output in a folder, oldest first if they belong to one process. */
export function outputFilesIn(folder: string): string[] {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return files
    .filter((file) => file.endsWith('.output'))
    .sort()
    .map((file) => path.join(folder, file));
}

function cut(file: string, bytes: number): void {
  fs.truncateSync(file, fs.statSync(file).size - bytes);
}
