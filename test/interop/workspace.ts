import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { ensureCodex } from '../rig/codex.js';
import { temporaryFolder } from '../rig/lifetime.js';
import { giveTo } from '../support/otherUser.js';
import { processesWith } from '../support/processes.js';
import { until } from '../support/until.js';
import { runCodex, type ClientOptions, type ClientRun, type SandboxMode } from './codexClient.js';
import type { Step } from './modelServer.js';

/** The bounds of the commands. */
interface Bounds {
  readonly sandbox?: SandboxMode;
  /** The user of the server, who owns the folder. */
  readonly uid?: number;
}

/** The folder that the model works in, new for each test, and the client to run there. */
export class Workspace {
  #folder: string | undefined;
  #remove: (() => Promise<void>) | undefined;
  #over = new AbortController();
  #pipe = '';
  #told: net.Socket | undefined;
  readonly #bounds: Bounds;

  constructor(bounds: Bounds = {}) {
    this.#bounds = bounds;
  }

  get folder(): string {
    return this.#folder ?? assert.fail('There is a workspace only while a test runs.');
  }

  open(): void {
    this.#over = new AbortController();
    this.#pipe = path.join(os.tmpdir(), 'told');
    execFileSync('mkfifo', ['--mode=666', this.#pipe]);
    // Writers come and go: the pipe has one at all times.
    this.#told = new net.Socket({
      fd: fs.openSync(this.#pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK),
    });
    createInterface(this.#told).on('line', (line) => {
      const [name = '', ...content] = line.split(' ');
      this.put(name, content.join(' '));
    });
    this.#folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-work-')));
    this.#remove = temporaryFolder(this.#folder);
    this.#give();
  }

  async close(): Promise<void> {
    // Ends what a failed test has left in progress: a client, or a wait for something that never happens.
    this.#over.abort(new Error('The test is over.'));
    this.#told?.destroy();
    await this.#remove?.();
    this.#folder = undefined;
  }

  /** Makes a file, for commands to find. */
  put(name: string, content: string | Uint8Array = ''): void {
    const file = path.join(this.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    this.#give();
  }

  #give(): void {
    if (this.#bounds.uid !== undefined) giveTo(this.#bounds.uid, this.folder);
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

  /**
   * The command of a shell that makes a file of the workspace, which shows how far it has come. A sandbox may
   * refuse files, but not a named pipe. This process then makes the file.
   */
  tell(name: string, content = ''): string {
    return `echo "${name} ${content}" >${this.#pipe}`;
  }

  /** Resolves once a file exists. */
  untilThere(name: string): Promise<void> {
    const file = path.join(this.folder, name);
    return this.until(() => fs.existsSync(file));
  }

  /** Resolves once nothing runs whose environment has all of these variables, each as `NAME=value`. */
  untilGone(...variables: readonly string[]): Promise<void> {
    return this.until(() => processesWith(...variables).length === 0);
  }

  runIn(
    environment: ClientOptions['environment'],
    script: readonly Step[],
    options: Partial<ClientOptions> = {},
  ): Promise<ClientRun> {
    return runCodex({
      environment,
      cwd: this.folder,
      script,
      ...(this.#bounds.sandbox && { sandbox: this.#bounds.sandbox }),
      signal: this.#over.signal,
      ...options,
    });
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
