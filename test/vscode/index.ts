import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import type { ResultLine } from '../rig/results.js';

/**
 * VS Code loads this file inside the extension host and calls run(). Results are written to the file that
 * EXEC_SESSIONS_RESULT names, because VS Code's own exit code is 0 even if the extension host is killed.
 */
export async function run(): Promise<void> {
  const resultFile = process.env['EXEC_SESSIONS_RESULT'];
  const record = (line: ResultLine): void => {
    if (resultFile) fs.appendFileSync(resultFile, `${JSON.stringify(line)}\n`);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    // More than the limit of `until`, whose error says what was waited for.
    timeout: 120_000,
    color: false,
    forbidOnly: true,
    forbidPending: true,
    ...(process.env['EXEC_SESSIONS_GREP'] ? { grep: process.env['EXEC_SESSIONS_GREP'] } : {}),
  });
  for (const file of fs.readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.js')) mocha.addFile(path.join(__dirname, file));
  }
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('test', (test) => record({ event: 'start', title: test.fullTitle() }));
    runner.on('pass', (test) => record({ event: 'passed', title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.on('pending', (test) => record({ event: 'pending', title: test.fullTitle() }));
    runner.on('fail', (test, error: unknown) =>
      record({
        event: 'failed',
        title: test.fullTitle(),
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
  });
  record({ event: 'end', failures });
  if (failures > 0) throw new Error(`${failures} failed`);
}
