import fs from 'node:fs';
import { builtPackage, buildSuite, packageExtension, runCommand, runScript } from './commands.js';
import type { MissingTools, ToolName } from './installTools.js';
import { npmProgramNames, withoutProgram } from './npmPrograms.js';
import { messageOf } from './paths.js';
import { judge, readLines, type Results } from './results.js';
import { ensureTools } from './tools.js';

/** The stages of `npm test`, in the order in which they begin. */

export interface Stage {
  readonly name: string;
  /** What it uses beside node_modules: it begins when this has been installed. */
  readonly tools?: readonly ToolName[];
  /** It begins after the build, and fails without running if that failed. */
  readonly needsBuild?: boolean;
  /** It runs only if it is named. */
  readonly onRequest?: boolean;
  /** Nothing runs beside it. */
  readonly alone?: boolean;
  /** The files of tests that it runs, if it runs any. */
  readonly tests?: TestFiles;
  run(context: StageContext): Promise<StageResults | NotRun>;
}

/** Files by patterns, whose braces and asterisks mean the same as in a shell. */
export interface TestFiles {
  readonly files: string;
  readonly except?: string;
}

export interface StageContext {
  /** The file descriptor for everything that its programs print. */
  readonly output: number;
  /** The file for its results. */
  readonly resultFile: string;
  /** Why some of its tools cannot be had. */
  readonly missing: MissingTools;
}

/**
 * A stage that could not run here because something it needs is not available. That is no failure of ours, but it is
 * shown: the stage's line names the reason.
 */
interface NotRun {
  readonly notRun: string;
}

/** The results of a stage. With `without`, a part of it could not run, and its line says why. */
export interface StageResults extends Results {
  readonly without?: string;
}

type Run = Stage['run'];

/** A command of the repository that passes or fails as a whole. */
function script(name: string): Run {
  return async ({ output }) => passOrFail(await runScript(name, { output }));
}

const passOrFail = (exitCode: number): Results =>
  exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** Everything is built here, since no stage may change what another one beside it runs. */
const buildAll: Run = async ({ output }) => {
  try {
    process.env[builtPackage] = await packageExtension();
    await buildSuite({ output });
    return passOrFail(0);
  } catch (error) {
    fs.writeSync(output, `${messageOf(error)}\n`);
    return passOrFail(1);
  }
};

/** The longest stage takes a third of this; one that hangs must not keep the results of the others. */
const LIMIT_MS = 40 * 60_000;

/**
 * A program that writes its results as lines, for `judge`. If there is no codex, or another program from npm, it leaves
 * out what needs it.
 */
function program(...argv: readonly string[]): Run {
  return (context) => runProgram(context, ['--import', 'tsx', ...argv]);
}

async function runProgram(
  { output, resultFile, missing }: StageContext,
  argv: readonly string[],
  { node = process.execPath, env = {} }: { node?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<StageResults> {
  const without = npmProgramNames.filter((name) => missing[name] !== undefined);
  const exitCode = await runCommand(node, argv, {
    output,
    limitMs: LIMIT_MS,
    env: {
      ...process.env,
      ...env,
      EXEC_SESSIONS_RESULT: resultFile,
      ...Object.fromEntries(without.map((name) => [withoutProgram(name), missing[name]])),
    },
  });
  const results = judge(readLines(resultFile), exitCode);
  return without.length === 0
    ? results
    : { ...results, without: without.map((name) => missing[name]).join('; ') };
}

const mochaArgv = ({ files, except }: TestFiles, options: readonly string[]): readonly string[] => [
  '--import',
  'tsx',
  // Mocha's inner entry: the usual one starts it as a child, and leaves the child running when it is ended.
  'node_modules/mocha/bin/_mocha',
  '--config',
  'test/.mocharc.json',
  '--reporter',
  'test/rig/reporter.cjs',
  ...options,
  ...(except === undefined ? [] : ['--ignore', except]),
  files,
];

/** The part of a stage that runs tests in Mocha. */
type MochaRun = Required<Pick<Stage, 'tests' | 'run'>>;

function mocha(tests: TestFiles, ...options: readonly string[]): MochaRun {
  return { tests, run: (context) => runProgram(context, mochaArgv(tests, options)) };
}

/** A stage that cannot run without one of its tools. */
function withTool(name: ToolName, { tests, run }: MochaRun): MochaRun {
  const runIfThere: Run = (context) => {
    const reason = context.missing[name];
    return reason === undefined ? run(context) : Promise.resolve({ notRun: reason });
  };
  return { tests, run: runIfThere };
}

const long = ['--timeout', '240000'];
const inBrowser = [...long, '--slow', '20000'];

const onServers: readonly ToolName[] = ['programs', 'codex'];

/** The attacks, which take long: they run on one Node, that of the newest VS Code. */
const attacks = 'test/faults/attacks/*.test.ts';
/**
 * Terminals, pipes, exits, files and sockets: what libuv and Node have a part in. Without what is the same on every Node:
 * messages and lines, who a process belongs to, and the guard, which is a script of the shell (`guard.test.ts` stays, for
 * the ends of its hosts).
 */
const messages = 'answersOfAll,listingMemory,largeList,hostileTexts,sharedOwnership,remoteSharing';
const lines = 'silence,remote,cable,cuts/cuts';
const onNewestNode: TestFiles = {
  files: 'test/{contract,faults}/**/*.test.ts',
  except: `test/faults/{${messages},${lines},guardMessages,guardAtLimit}.test.ts`,
};
const inVscode: TestFiles = { files: 'test/vscode/**/*.test.ts' };

// A stage that needs all processors, as those with a browser do, stands between stages that mostly wait.
export const stages: readonly Stage[] = [
  { name: 'build', run: buildAll },
  { name: 'lint', run: script('lint') },
  { name: 'typecheck', run: script('typecheck') },
  { name: 'unit', ...mocha({ files: '{test/unit,test/bench/test}/**/*.test.ts' }) },
  {
    // Terminals end in another way with the libuv of the newest Node, which VS Code's own server uses as well. What
    // the kinds of backend do differently from each other is the same on every Node, so only some are run again.
    name: 'newest-node',
    needsBuild: true,
    tools: [...onServers, 'newest'],
    tests: onNewestNode,
    run: async (context) => {
      const { node } = await ensureTools();
      const env = { EXEC_SESSIONS_BACKENDS: 'few' };
      return runProgram(context, mochaArgv(onNewestNode, long), { node, env });
    },
  },
  {
    name: 'suite',
    needsBuild: true,
    tools: ['programs', 'chromium', 'newest'],
    tests: inVscode,
    run: program('test/rig/suite.ts', '--no-build'),
  },
  {
    name: 'faults',
    needsBuild: true,
    tools: onServers,
    ...mocha({ files: 'test/faults/**/*.test.ts', except: attacks }, ...long),
  },
  {
    // The suite on the lowest VS Code that the manifest allows, and with the sessions in the extension host.
    name: 'oldest',
    needsBuild: true,
    tools: ['programs', 'chromium', 'oldest'],
    tests: inVscode,
    run: (context) =>
      runProgram(context, ['--import', 'tsx', 'test/rig/suite.ts', '--no-build', '--oldest'], {
        env: { EXEC_SESSIONS_LOCAL_BACKEND: 'extensionHost' },
      }),
  },
  { name: 'contract', needsBuild: true, tools: onServers, ...mocha({ files: 'test/contract/**/*.test.ts' }) },
  {
    name: 'e2e',
    needsBuild: true,
    tools: [...onServers, 'chromium', 'newest'],
    ...mocha({ files: 'test/e2e/**/*.test.ts' }, ...inBrowser),
  },
  {
    name: 'interop',
    needsBuild: true,
    tools: [...onServers, 'claude', 'gemini', 'conformance'],
    ...withTool('codex', mocha({ files: 'test/{interop/**/*,server/*Parity}.test.ts' }, ...long)),
  },
  {
    name: 'agent',
    needsBuild: true,
    tools: onServers,
    ...mocha({ files: 'test/agent/**/*.test.ts' }, ...long),
  },
  {
    name: 'cli',
    needsBuild: true,
    tools: ['programs'],
    ...mocha({ files: 'test/cli/**/*.test.ts' }, ...long),
  },
  { name: 'mcp', needsBuild: true, tools: onServers, ...mocha({ files: 'test/mcp/**/*.test.ts' }, ...long) },
  {
    // Comparisons with the real server are in the stage interop, since they need codex.
    name: 'server',
    needsBuild: true,
    tools: onServers,
    ...mocha({ files: 'test/server/**/*.test.ts', except: 'test/server/*Parity.test.ts' }),
  },
  {
    name: 'windows',
    needsBuild: true,
    onRequest: true,
    tools: ['wine'],
    ...withTool('wine', mocha({ files: 'test/windows/**/*.test.ts' }, ...long)),
  },
  {
    name: 'arm64',
    needsBuild: true,
    onRequest: true,
    tools: ['arm64'],
    ...withTool('arm64', mocha({ files: 'test/arm64/**/*.test.ts' }, ...long)),
  },
  {
    // Last, since it measures only things that the other stages have shown to work.
    name: 'bench',
    needsBuild: true,
    alone: true,
    tools: [...onServers, 'chromium', 'newest'],
    run: program('test/bench/check.ts', '--no-build'),
  },
];

/** The stage that installs `tools`; it passes whatever cannot be had, which the stages say that use it. */
export function toolsStage(tools: readonly ToolName[]): Stage {
  return {
    name: 'tools',
    run: async ({ output, resultFile }) => {
      const env = { ...process.env, EXEC_SESSIONS_RESULT: resultFile };
      const argv = ['--import', 'tsx', 'test/rig/installTools.ts', ...new Set(tools)];
      return passOrFail(await runCommand(process.execPath, argv, { env, output }));
    },
  };
}
