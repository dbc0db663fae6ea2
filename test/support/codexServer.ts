import fs from 'node:fs';
import path from 'node:path';

import { ensureCodex } from '../rig/codex.js';
import { ifProgram } from '../rig/npmPrograms.js';
import { command, startServer, type RunningServer, type ServerOptions } from './execServer.js';

/** The rows of a table of tests that need codex; no rows where it cannot be had. */
export function ifCodex<Row>(...rows: readonly Row[]): readonly Row[] {
  return ifProgram('codex', ...rows);
}

/** Starts the real server, `codex exec-server`, which is installed if need be. */
export async function startCodexServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { binary } = await ensureCodex();
  return startServer((home) => {
    const codexHome = path.join(home.folder, 'codex');
    fs.mkdirSync(codexHome);
    const env = { ...home.env, CODEX_HOME: codexHome };
    const argv = [binary, 'exec-server', '--listen', 'ws://127.0.0.1:0'] as const;
    return command([...argv], env, { cwd: home.folder, ...options });
  });
}

/** The real server for a client that starts it, and speaks through its stdin and stdout. */
export async function codexStdioServer(): Promise<readonly [string, ...string[]]> {
  const { binary } = await ensureCodex();
  return [binary, 'exec-server', '--listen', 'stdio'];
}
