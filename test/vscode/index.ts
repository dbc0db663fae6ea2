import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { levels, type Level } from '../rig/levels.js';
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
  const level = (process.env['EXEC_SESSIONS_LEVEL'] ?? 'test') as Level;
  const wanted = process.env['EXEC_SESSIONS_FILES']?.split(',');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: levels[level].testMs,
    color: false,
    forbidOnly: true,
    forbidPending: true,
    grep: process.env['EXEC_SESSIONS_GREP'] ?? (wanted === undefined ? levels[level].titles : ''),
  });
  for (const file of fs.readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    const isWanted = wanted?.includes(`test/vscode/${file.replace(/\.js$/, '.ts')}`) ?? true;
    if (file.endsWith('.test.js') && isWanted) mocha.addFile(path.join(__dirname, file));
  }
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('test', (test) => record({ event: 'start', title: test.fullTitle() }));
    runner.on('pass', (test) => record({ event: 'passed', title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.on('pending', (test) => record({ event: 'pending', title: test.fullTitle() }));
    runner.on('hook end', (hook) =>
      record({ event: 'hook', title: hook.fullTitle(), ms: hook.duration ?? 0 }),
    );
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
