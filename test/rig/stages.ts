import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureCodex } from './codex.js';
import { build, runCommand, runScript } from './commands.js';
import { endAll, temporaryFolder } from './lifetime.js';
import { messageOf, say, vsixFile } from './paths.js';
import { judge, readLines, type Results } from './results.js';
import { ensureTestPrograms } from './programs.js';
import { ensureTools } from './tools.js';

/** The stages of `npm test`. */

interface Stage {
  readonly name: string;
  /** Fails without running when the build failed. */
  readonly needsBuild?: boolean;
  run(resultFile: string): Promise<StageResults | NotRun>;
}

/**
 * A stage that could not run here because something it needs is not available. That is no failure of ours, but it is
 * shown: the stage's line names the reason.
 */
interface NotRun {
  readonly notRun: string;
}

/** The results of a stage. With `without`, a part of it could not run, and its line says why. */
interface StageResults extends Results {
  readonly without?: string;
}

async function single(code: Promise<number>): Promise<Results> {
  return (await code) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function withResults(
  code: (env: NodeJS.ProcessEnv) => Promise<number>,
  file: string,
): Promise<Results> {
  const exitCode = await code({ ...process.env, EXEC_SESSIONS_RESULT: file });
  return judge(readLines(file), exitCode);
}

function mocha(files: string, ...options: readonly string[]) {
  return (resultFile: string): Promise<Results> => runMocha({ files, options, resultFile });
}

/** Runs tests of every kind of backend; if codex is not available, those of the others. */
function mochaOnBackends(files: string, ...options: readonly string[]) {
  return (resultFile: string): Promise<StageResults> => runOnBackends({ files, options, resultFile });
}

function runOnBackends(run: MochaRun): Promise<StageResults> {
  return whetherCodexOrNot((env) => runMocha({ ...run, env }));
}

/** Runs the short benchmark, with its bounds. */
function benchmark(resultFile: string): Promise<StageResults> {
  const argv = ['--import', 'tsx', 'test/bench/check.ts', '--no-build'];
  return whetherCodexOrNot((without) =>
    withResults((env) => runCommand(process.execPath, argv, { env: { ...env, ...without } }), resultFile),
  );
}

async function whetherCodexOrNot(run: (env: NodeJS.ProcessEnv) => Promise<Results>): Promise<StageResults> {
  try {
    await ensureCodex();
  } catch (error) {
    return { ...(await run({ EXEC_SESSIONS_WITHOUT_CODEX: '1' })), without: messageOf(error) };
  }
  return run({});
}

interface MochaRun {
  readonly files: string;
  readonly options: readonly string[];
  readonly resultFile: string;
  readonly node?: string;
  readonly env?: NodeJS.ProcessEnv;
}

function runMocha({
  files,
  options,
  resultFile,
  node = process.execPath,
  env: more,
}: MochaRun): Promise<Results> {
  return withResults(
    (env) =>
      runCommand(
        node,
        [
          '--import',
          'tsx',
          // Mocha's inner entry: the usual one starts it as a child, and leaves the child running when it is ended.
          'node_modules/mocha/bin/_mocha',
          '--config',
          'test/.mocharc.json',
          '--reporter',
          'test/rig/reporter.cjs',
          ...options,
          files,
        ],
        { env: { ...env, ...more } },
      ),
    resultFile,
  );
}

const browserLimits = ['--timeout', '120000', '--slow', '20000'];

function suite(...args: readonly string[]) {
  return (resultFile: string): Promise<Results> =>
    withResults(
      (env) => runCommand(process.execPath, ['--import', 'tsx', 'test/rig/suite.ts', ...args], { env }),
      resultFile,
    );
}

const stages: readonly Stage[] = [
  { name: 'lint', run: () => single(runScript('lint')) },
  { name: 'typecheck', run: () => single(runScript('typecheck')) },
  {
    name: 'build',
    run: () =>
      single(
        build().then(
          () => 0,
          () => 1,
        ),
      ),
  },
  { name: 'unit', run: mocha('{test/unit,test/bench/test}/**/*.test.ts') },
  { name: 'contract', needsBuild: true, run: mochaOnBackends('test/contract/**/*.test.ts') },
  {
    name: 'agent',
    needsBuild: true,
    run: mochaOnBackends('test/agent/**/*.test.ts', '--timeout', '120000'),
  },
  { name: 'mcp', needsBuild: true, run: mocha('test/mcp/**/*.test.ts', '--timeout', '120000') },
  {
    name: 'faults',
    needsBuild: true,
    run: mocha('test/faults/**/*.test.ts', '--timeout', '120000'),
  },
  {
    // Comparisons with the real server are in the stage interop, since they need codex.
    name: 'server',
    needsBuild: true,
    run: mocha('test/server/**/*.test.ts', '--ignore', 'test/server/*Parity.test.ts'),
  },
  {
    name: 'interop',
    needsBuild: true,
    run: async (file) => {
      try {
        await ensureCodex();
      } catch (error) {
        return { notRun: messageOf(error) };
      }
      return mocha('test/{interop/**/*,server/*Parity}.test.ts', '--timeout', '120000')(file);
    },
  },
  {
    // Terminals end in another way with the libuv of the newest Node, which VS Code's own server uses as well.
    name: 'newest-node',
    needsBuild: true,
    run: async (file) => {
      const { node } = await ensureTools();
      const files = 'test/{contract,agent,faults}/**/*.test.ts';
      return runOnBackends({ files, options: ['--timeout', '120000'], resultFile: file, node });
    },
  },
  { name: 'package', needsBuild: true, run: mocha('test/e2e/vsix.test.ts', ...browserLimits) },
  { name: 'suite', needsBuild: true, run: suite() },
  // The suite on the lowest VS Code that the manifest allows.
  { name: 'oldest', needsBuild: true, run: suite('--oldest') },
  {
    name: 'e2e',
    needsBuild: true,
    run: mocha('test/e2e/**/*.test.ts', '--ignore', 'test/e2e/vsix.test.ts', ...browserLimits),
  },
  // Last, since it measures only things that the other stages have shown to work.
  { name: 'bench', needsBuild: true, run: benchmark },
];

function select(names: readonly string[]): readonly Stage[] {
  if (names.length === 0) return stages;
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No such stage: ${unknown.join(', ')}. There are ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  const needsBuild = stages.some((stage) => names.includes(stage.name) && stage.needsBuild);
  return stages.filter(({ name }) => names.includes(name) || (name === 'build' && needsBuild));
}

/** Runs the named stages, or all; resolves with the exit code. */
export async function runStages(names: readonly string[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  const summary: string[] = [];
  const failures: string[] = [];
  try {
    const selected = select(names);
    // The stages that need the build run real programs as well.
    const missing = selected.some(({ needsBuild }) => needsBuild) ? ensureTestPrograms() : undefined;
    if (missing !== undefined) {
      say(missing);
      summary.push(missing);
    }
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-test-'));
    temporaryFolder(folder);
    let built = true;
    for (const stage of selected) {
      const started = Date.now();
      say(`\n== ${stage.name}`);
      const results: StageResults | NotRun =
        stage.needsBuild && !built
          ? { passed: 0, failed: 1, problem: 'it needs the build, which failed' }
          : await stage.run(path.join(folder, `${stage.name}.jsonl`));
      if ('notRun' in results) {
        summary.push(`${stage.name}: not run: ${results.notRun}`);
        say(`== ${summary.at(-1) ?? ''}`);
        continue;
      }
      if (stage.name === 'build') built = results.failed === 0;
      // The later stages use the same file that this one has checked.
      if (stage.name === 'package' && results.failed === 0) process.env['EXEC_SESSIONS_VSIX'] = vsixFile;
      passed += results.passed;
      failed += results.failed;
      failures.push(...(results.failures ?? []).map((failure) => `${stage.name}: ${failure}`));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      const line = `${stage.name}: ${results.passed} passed, ${results.failed} failed, ${seconds} s`;
      const remarks = [
        ...(results.problem === undefined ? [] : [results.problem]),
        ...(results.without === undefined ? [] : [`not all was run: ${results.without}`]),
      ];
      summary.push(remarks.length === 0 ? line : `${line} (${remarks.join('; ')})`);
      say(`== ${summary.at(-1) ?? ''}`);
    }
  } catch (error) {
    summary.push(messageOf(error));
    failed += 1;
  }
  await endAll();
  // Failures are named at the end as well, since often only the end of a long log is kept.
  for (const failure of failures) say(`\nFailed in ${failure}`);
  say(`\n${summary.join('\n')}\n`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
