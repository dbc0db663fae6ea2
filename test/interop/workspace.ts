import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { ensureCodex } from '../rig/codex.js';
import { temporaryFolder } from '../rig/lifetime.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { runCodex, type ClientOptions, type ClientRun } from './codexClient.js';
import type { Step } from './modelServer.js';

/** The folder that the model works in, new for each test, and the client to run there. */
export class Workspace {
  #folder: string | undefined;
  #remove: (() => Promise<void>) | undefined;
  #over = new AbortController();

  get folder(): string {
    return this.#folder ?? assert.fail('There is a workspace only while a test runs.');
  }

  open(): void {
    this.#over = new AbortController();
    this.#folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-work-')));
    this.#remove = temporaryFolder(this.#folder);
  }

  async close(): Promise<void> {
    // Ends what a failed test has left in progress: a client, or a wait for something that never happens.
    this.#over.abort(new Error('The test is over.'));
    await this.#remove?.();
    this.#folder = undefined;
  }

  /** Makes a file, for commands to find. */
  put(name: string, content: string | Uint8Array = ''): void {
    const file = path.join(this.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }

  textOf(name: string): string {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Resolves once a condition holds, and rejects when the test is over. */
  until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const { signal } = this.#over;
    return until(() => {
      signal.throwIfAborted();
      return condition();
    });
  }

  /** Resolves once a file exists, which shows how far a command has come. */
  untilThere(name: string): Promise<void> {
    const file = path.join(this.folder, name);
    return this.until(() => fs.existsSync(file));
  }

  /** Resolves once the process whose id is in a file has ended. */
  async untilGone(name: string): Promise<void> {
    const pid = Number(this.textOf(name));
    assert.ok(pid > 0);
    await this.until(async () => !(await isRunning(pid)));
  }

  runIn(
    environment: ClientOptions['environment'],
    script: readonly Step[],
    options: Partial<ClientOptions> = {},
  ): Promise<ClientRun> {
    return runCodex({ environment, cwd: this.folder, script, signal: this.#over.signal, ...options });
  }
}

/** Gives each test of the surrounding `describe` a new workspace. */
export function useWorkspace(workspace = new Workspace()): Workspace {
  before(async function () {
    await ensureCodex();
  });
  beforeEach(() => workspace.open());
  afterEach(() => workspace.close());
  return workspace;
}
