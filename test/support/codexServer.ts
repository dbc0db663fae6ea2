import fs from 'node:fs';
import path from 'node:path';

import { ensureCodex } from '../rig/codex.js';
import { ifProgram } from '../rig/npmPrograms.js';
import { command, startServer, type RunningServer, type ServerOptions } from './execServer.js';
import { copyForAll } from './otherUser.js';

/** The rows of a table of tests that need codex; no rows where it cannot be had. */
export function ifCodex<Row>(...rows: readonly Row[]): readonly Row[] {
  return ifProgram('codex', ...rows);
}

/** Starts the real server, `codex exec-server`, which is installed if need be. */
export async function startCodexServer(options: ServerOptions = {}): Promise<RunningServer> {
  const binary = await binaryFor(options.uid);
  return startServer((home) => {
    const codexHome = path.join(home.folder, 'codex');
    fs.mkdirSync(codexHome);
    const env = { ...home.env, CODEX_HOME: codexHome };
    const argv = [binary, 'exec-server', '--listen', 'ws://127.0.0.1:0'] as const;
    return command([...argv], env, { cwd: home.folder, ...options });
  });
}

/** The real server for a client that starts it, and speaks through its stdin and stdout. */
export async function codexStdioServer(uid?: number): Promise<readonly [string, ...string[]]> {
  return [await binaryFor(uid), 'exec-server', '--listen', 'stdio'];
}

/** The program as a file that the user can read, with its own programs in the folders beside. */
async function binaryFor(uid: number | undefined): Promise<string> {
  const { binary } = await ensureCodex();
  if (uid === undefined) return binary;
  const package_ = path.resolve(binary, '../..');
  return path.join(copyForAll(package_), path.relative(package_, binary));
}
