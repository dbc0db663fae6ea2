import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { startOwned, temporaryFolder } from '../rig/lifetime.js';

/** A new folder for one run of a client, with folders in it; `remove` takes it away with everything that runs there. */
export function clientFolder(...names: readonly string[]): { folder: string; remove: () => Promise<void> } {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-client-')));
  const remove = temporaryFolder(folder);
  for (const name of names) fs.mkdirSync(path.join(folder, name), { recursive: true });
  return { folder, remove };
}

export interface ProgramOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A text in the environment of the client and of everything that it starts. */
  readonly marker: string;
  /** Ends the client early. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it may exit with 1. */
  readonly mayFail?: boolean;
}

/** Runs a client to its end, and ends what it has left. Resolves with what it has printed. */
export async function runToEnd(options: ProgramOptions): Promise<{ stdout: string; stderr: string }> {
  const { argv, cwd, env, marker, signal, mayFail = false } = options;
  const [file, ...args] = argv;
  const client = await startOwned(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }, { marker });
  signal?.addEventListener('abort', () => void client.stop());
  let stdout = '';
  let stderr = '';
  client.child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  client.child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  try {
    await new Promise((resolve) => client.child.once('close', resolve));
  } finally {
    await client.stop();
  }
  const expected = mayFail ? ['exited with 0', 'exited with 1'] : ['exited with 0'];
  const ending = client.ending();
  assert.ok(ending !== undefined && expected.includes(ending), `${ending}\n${stdout}\n${stderr}`);
  return { stdout, stderr };
}
