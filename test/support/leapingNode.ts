import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { until } from './until.js';

/** Loaded before a program: its timers, and the clock that goes on evenly, obey the signal. The time of day does not. */
const PRELOAD = `
const fs = require('node:fs');
const now = performance.now.bind(performance);
const set = setTimeout;
const clear = clearTimeout;
const waiting = new Map();
let ahead = 0;
performance.now = () => now() + ahead;
globalThis.setTimeout = (run, delay = 0, ...args) => {
  const handle = set(() => {}, 0);
  clear(handle);
  const entry = { due: performance.now() + delay, run: () => { waiting.delete(handle); run(...args); } };
  entry.timer = set(entry.run, delay);
  waiting.set(handle, entry);
  handle.unref = () => { entry.timer.unref(); return handle; };
  handle.ref = () => { entry.timer.ref(); return handle; };
  return handle;
};
globalThis.clearTimeout = (handle) => {
  clear(waiting.get(handle)?.timer ?? handle);
  waiting.delete(handle);
};
process.on('SIGUSR2', () => {
  ahead = Number(fs.readFileSync(ORDER, 'utf8'));
  for (const entry of [...waiting.values()].sort((one, other) => one.due - other.due)) {
    clear(entry.timer);
    const left = entry.due - performance.now();
    if (left <= 0) entry.run();
    else entry.timer = set(entry.run, Math.min(left, 2 ** 31 - 1));
  }
  fs.writeFileSync(ORDER + '.done', String(ahead));
});
`;

/** A Node for one program, in which time passes as the test wants: hours in a moment. */
export class LeapingNode {
  /** The executable. */
  readonly file: string;
  readonly #order: string;
  #ahead = 0;

  /** @param folder A folder of the test. */
  constructor(folder: string) {
    this.#order = path.join(folder, 'leap');
    this.file = path.join(folder, 'leaping-node');
    const preload = path.join(folder, 'leap.cjs');
    fs.writeFileSync(preload, `const ORDER = ${JSON.stringify(this.#order)};${PRELOAD}`);
    fs.writeFileSync(this.file, `#!/bin/sh\nexec '${process.execPath}' --require '${preload}' "$@"\n`, {
      mode: 0o700,
    });
  }

  /** Has so many seconds pass in the program; what they bring about may take a moment more. */
  async leap(pid: number | undefined, seconds: number): Promise<void> {
    assert.ok(pid !== undefined);
    this.#ahead += seconds * 1_000;
    const order = String(this.#ahead);
    fs.writeFileSync(this.#order, order);
    process.kill(pid, 'SIGUSR2');
    await until(() => {
      const done = `${this.#order}.done`;
      return fs.existsSync(done) && fs.readFileSync(done, 'utf8') === order;
    });
  }
}
