import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Terminal } from '@xterm/headless';
import { spawn } from 'node-pty';

import type { Resize } from './index.js';
import { type Program, PROGRAMS, TEXT } from './programs.js';

/**
 * Records what real programs write into a terminal, byte for byte, into the files beside this one:
 *
 *   npx tsx test/support/recordings/record.ts [NAME…]
 *
 * An emulator answers their questions. They run in a folder of their own and see nothing else of this user. A program
 * that does not end by itself is killed when it waits after its last key.
 */

const COLUMNS = 80;
const ROWS = 24;
/** A program that has written nothing for this long, in milliseconds, waits for its next key. */
const QUIET_MS = 700;

async function record(name: string, { argv, keys = [], tool }: Program): Promise<void> {
  if (tool !== undefined && spawnSync('which', [tool]).status !== 0) {
    process.stderr.write(`${name}: there is no ${tool} here\n`);
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
  fs.writeFileSync(path.join(folder, 'text.c'), TEXT);
  fs.writeFileSync(path.join(folder, 'large'), 'x'.repeat(200 * 1024));
  const emulator = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const chunks: Buffer[] = [];
  const [command = '', ...args] = argv;
  const child = spawn(command, args, {
    name: 'xterm-256color',
    cols: COLUMNS,
    rows: ROWS,
    cwd: folder,
    encoding: null,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PS1: '$ ',
    },
  });
  const left = [...keys];
  const sizes: Resize[] = [];
  await new Promise<void>((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        const key = left.shift();
        if (key === undefined) {
          child.kill('SIGKILL');
          return;
        }
        if (typeof key === 'string') {
          child.write(key);
        } else {
          const [columns, rows] = key;
          sizes.push({ after: Buffer.concat(chunks).byteLength, columns, rows });
          emulator.resize(columns, rows);
          child.resize(columns, rows);
        }
        wait();
      }, QUIET_MS);
    };
    emulator.onData((data) => child.write(data));
    child.onData((data) => {
      // Without an encoding these are bytes, although the types say otherwise.
      const bytes = data as unknown as Buffer;
      chunks.push(bytes);
      emulator.write(bytes);
      wait();
    });
    // The end of the output may arrive after the exit.
    child.onExit(() => {
      clearTimeout(quiet);
      setTimeout(resolve, 200);
    });
  });
  emulator.dispose();
  fs.rmSync(folder, { recursive: true });
  const bytes = Buffer.concat(chunks);
  const file = path.join(import.meta.dirname, name);
  fs.writeFileSync(`${file}.bin`, bytes);
  if (sizes.length > 0) {
    fs.writeFileSync(`${file}.sizes.json`, `${JSON.stringify(sizes)}\n`);
  }
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (names.length === 0 || names.includes(name)) {
      await record(name, program);
    }
  }
}

void main();
