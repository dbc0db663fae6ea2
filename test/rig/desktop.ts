import fs from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { endServersIn } from '../support/sessionServers.js';
import { desktopVariables, makeBase, testSettings } from './base.js';
import { build, buildSuite } from './commands.js';
import { endAll } from './lifetime.js';
import { messageOf, root, say } from './paths.js';
import { judge, readLines } from './results.js';
import { followResults, suiteEntry } from './suite.js';

/**
 * Runs the suite on a desktop VS Code: the one that VSCODE_EXECUTABLE names, else one that @vscode/test-electron
 * downloads (VSCODE_VERSION, by default the newest stable). Needs a display; on Linux `xvfb-run -a` will do.
 *   node --import tsx test/rig/desktop.ts [--grep TEXT]
 */
async function main(args: readonly string[]): Promise<void> {
  const grep = args[0] === '--grep' ? args[1] : undefined;
  await build();
  await buildSuite();
  const base = makeBase({ settings: testSettings });
  const resultFile = process.env['EXEC_SESSIONS_RESULT'] ?? path.join(base.folder, 'results.jsonl');
  fs.rmSync(resultFile, { force: true });
  const executable = process.env['VSCODE_EXECUTABLE'];
  const version = process.env['VSCODE_VERSION'];
  const printer = followResults(resultFile);
  let exitCode = 0;
  try {
    exitCode = await runTests({
      ...(executable && { vscodeExecutablePath: executable }),
      ...(version && { version }),
      extensionDevelopmentPath: root,
      extensionTestsPath: suiteEntry,
      extensionTestsEnv: {
        ...desktopVariables(base),
        EXEC_SESSIONS_RESULT: resultFile,
        ...(grep && { EXEC_SESSIONS_GREP: grep }),
      },
      launchArgs: [
        base.workspace,
        '--disable-extensions',
        `--user-data-dir=${base.userData}`,
        `--extensions-dir=${base.extensions}`,
      ],
    });
  } catch (error) {
    say(messageOf(error));
    exitCode = 1;
  } finally {
    printer.stop();
    await endServersIn(base.folder);
  }
  const results = judge(readLines(resultFile), exitCode);
  if (results.problem !== undefined) say(`The suite failed: ${results.problem}.`);
  say(`${results.passed} passed, ${results.failed} failed`);
  process.exitCode = results.failed > 0 ? 1 : 0;
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    say(messageOf(error));
    process.exitCode = 1;
  })
  .finally(() => void endAll());
