import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { makeBase } from './base.js';
import { launchBrowser } from './browser.js';
import { build, buildSuite } from './commands.js';
import type { Disposable } from '../../src/core/events.js';
import { levels } from './levels.js';
import { endAll } from './lifetime.js';
import { messageOf, root, say } from './paths.js';
import { judge, readLines, type Results } from './results.js';
import { startServer, workbenchUrl } from './server.js';
import { onSilence, sizeOf } from './silence.js';
import { ensureTools } from './tools.js';
import { versions, type VsCodeVersion } from './versions.js';

/**
 * Runs the suite of test/vscode inside the extension host of a real VS Code. It is the newest one that the rig knows, or
 * the oldest one that the extension supports.
 *
 *   node --import tsx test/rig/suite.ts [--oldest] [--no-build] [--grep TEXT]
 */

export interface SuiteOptions {
  readonly grep?: string;
  readonly version?: VsCodeVersion;
  /** The built test entry. */
  readonly entry?: string;
  /** Also receives the result lines. */
  readonly resultFile?: string;
}

export const suiteEntry = path.join(root, 'out/test/vscode/index.js');

export async function runSuite(options: SuiteOptions = {}): Promise<Results> {
  const { grep, entry = suiteEntry } = options;
  const tools = await ensureTools(options.version);
  const base = makeBase();
  const resultFile = options.resultFile ?? path.join(base.folder, 'results.jsonl');
  // The variables go through the server, since an old VS Code ignores those in its address.
  const env = {
    ...base.env,
    EXEC_SESSIONS_RESULT: resultFile,
    ...passedOn('EXEC_SESSIONS_LEVEL', 'EXEC_SESSIONS_FILES'),
    ...(grep !== undefined && { EXEC_SESSIONS_GREP: grep }),
  };
  const printer = followResults(resultFile);
  const errors: string[] = [];
  let exitCode = 1;
  try {
    const server = await startServer(tools, { ...base, env }, { driver: true });
    const { browser, close } = await launchBrowser(base);
    const page = await browser.newPage();
    // An automated workbench calls these two functions by these names.
    const exits = new EventEmitter();
    const done = once(exits, 'exit') as Promise<[number]>;
    await page.exposeFunction('codeAutomationExit', (code: number) => exits.emit('exit', code));
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const line = format(...args);
      if (type === 'error' && !expectedErrors.test(line)) errors.push(withoutWorkbenchFrames(line));
      if (process.env['EXEC_SESSIONS_VERBOSE']) say(`  [${type}] ${line}`);
    });
    const broken = new Promise<never>((_, reject) => {
      page.on('crash', () => reject(new Error('The page crashed.')));
      void server.exited.then((how) => reject(new Error(`code-server ${how}.`)));
    });
    broken.catch(() => undefined);
    // The runner's own limit, which knows no errors of the page, comes later.
    const silenceMs = levels.test.silenceMs - 10_000;
    let watch: Disposable | undefined;
    const silence = new Promise<never>((_, reject) => {
      const problem = `No test or hook ended for ${silenceMs / 1000} s.`;
      watch = onSilence(
        () => sizeOf(resultFile),
        silenceMs,
        () => reject(new Error(problem)),
      );
    });
    silence.catch(() => undefined);
    try {
      const remote = (file: string): string => `vscode-remote://${server.authority}${file}`;
      // The address enables no proposed API, so the extension has the same API as for its users.
      await page.goto(
        workbenchUrl(server, base.workspace, [
          ['extensionDevelopmentPath', remote(root)],
          ['extensionTestsPath', remote(entry)],
          ['skipWelcome', 'true'],
        ]),
      );
      [exitCode] = await Promise.race([done, broken, silence]);
    } finally {
      watch?.dispose();
      await close();
      const survivors = await server.stop();
      for (const { pid, command } of survivors) errors.push(`left running and killed: ${pid} ${command}`);
    }
  } catch (error) {
    errors.push(messageOf(error));
  } finally {
    printer.stop();
  }
  const results = judge(readLines(resultFile), exitCode);
  if (results.problem !== undefined) say(`The suite failed: ${results.problem}.`);
  if (results.failed > 0) for (const error of errors.slice(-8)) say(`  ${error}`);
  else for (const error of errors.filter((line) => line.startsWith('left running'))) say(`  ${error}`);
  await base.remove();
  return results;
}

/** The variables of ours that are set. */
function passedOn(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Errors of work that is cancelled at the end, and of parts of VS Code that only its install scripts would create. */
const expectedErrors =
  /^Canceled|Could not locate the bindings file|Cannot find module '.*watchdog'|ripgrep\/bin\/rg ENOENT/;

/** Removes the stack frames of VS Code's own code, which is minified. */
function withoutWorkbenchFrames(text: string): string {
  const lines = text.split('\n').filter((line) => !/\/(?:workbench|extensionHostProcess)\.js:/.test(line));
  return lines.join('\n').slice(0, 1500);
}

/** Prints the tests as they end. */
export function followResults(file: string): { stop(): void } {
  let printed = 0;
  const print = (): void => {
    const lines = readLines(file);
    for (const line of lines.slice(printed)) {
      if (!('title' in line) || line.event === 'start' || line.event === 'hook') continue;
      const time = line.ms === undefined ? '' : ` (${line.ms} ms)`;
      say(`  ${line.event.padEnd(7)} ${line.title}${time}`);
      if ('error' in line) say(line.error.replace(/^/gm, '      '));
    }
    printed = lines.length;
  };
  const timer = setInterval(print, 250);
  return {
    stop() {
      clearInterval(timer);
      print();
    },
  };
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'grep': { type: 'string' },
      'oldest': { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
    },
  });
  const { grep } = values;
  const version = values.oldest ? versions.oldest : versions.newest;
  if (!values['no-build']) {
    await build();
    await buildSuite();
  }
  const resultFile = process.env['EXEC_SESSIONS_RESULT'];
  if (resultFile !== undefined) fs.rmSync(resultFile, { force: true });
  const results = await runSuite({ version, ...(grep && { grep }), ...(resultFile && { resultFile }) });
  say(`${results.passed} passed, ${results.failed} failed`);
  process.exitCode = results.failed > 0 ? 1 : 0;
}

if (require.main === module) {
  main(process.argv.slice(2))
    .catch((error: unknown) => {
      say(messageOf(error));
      process.exitCode = 1;
    })
    .finally(() => void endAll());
}
