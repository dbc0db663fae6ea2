import fs from 'node:fs';

import {
  builtPackage,
  buildSuite,
  mochaProgram,
  packageExtension,
  runCommand,
  runScript,
} from './commands.js';
import type { MissingTools, ToolName } from './installTools.js';
import { levels, type Level } from './levels.js';
import { startOwned, type Survivor } from './lifetime.js';
import { npmProgramNames, withoutProgram } from './npmPrograms.js';
import { messageOf, root } from './paths.js';
import { judge, readLines, type Results } from './results.js';
import { onSilence, sizeOf } from './silence.js';
import { temporaryVariables } from './temporaryFiles.js';
import type { TestFiles } from './testFiles.js';
import { ensureTools } from './tools.js';
import { versions } from './versions.js';

/** The stages of `npm test`, `npm run test:all` and `npm run test:long`, in the order in which they begin. */

export interface Stage {
  readonly name: string;
  readonly levels: readonly Level[];
  /** The tools that it uses beside node_modules: it begins when these have been installed. */
  readonly tools?: readonly ToolName[];
  /** Other makers' programs that it uses as well, but not in `npm test`. */
  readonly peers?: readonly ToolName[];
  /** It begins after the build, and fails without running if that failed. */
  readonly needsBuild?: boolean;
  /** Nothing runs beside it. */
  readonly alone?: boolean;
  /** The files of tests that it runs, if it runs any. */
  readonly tests?: TestFiles;
  run(context: StageContext): Promise<StageResults | NotRun>;
}

export interface StageContext {
  readonly level: Level;
  /** The files that are asked for, if not all are. All their tests run but those with `@long`. */
  readonly files?: readonly string[];
  /** The file descriptor for everything that its programs print. */
  readonly output: number;
  /** The file for its results. */
  readonly resultFile: string;
  /** The folder for the temporary files of its programs. */
  readonly temporary: string;
  /** Why some of its tools cannot be had. */
  readonly missing: MissingTools;
}

/** A stage that could not run, for example without Wine. That counts as no failure; the line of the stage has the reason. */
interface NotRun {
  readonly notRun: string;
}

/** The results of a stage. With `without`, a part of it could not run, and its line says why. */
export interface StageResults extends Results {
  readonly without?: string;
  /** The processes that it left running, which were killed. */
  readonly left?: readonly Survivor[];
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

/**
 * A program that writes its results as lines, for `judge`. It leaves out what needs a program from npm that is missing,
 * and in `npm test` what needs any of them.
 */
function program(...argv: readonly string[]): Run {
  return (context) => runProgram(context, ['--import', 'tsx', ...argv]);
}

const NOT_IN_NPM_TEST = 'npm test runs without it';

async function runProgram(
  { level, files, output, resultFile, temporary, missing }: StageContext,
  argv: readonly string[],
  { node = process.execPath, env = {} }: { node?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<StageResults> {
  const { propertyRuns, silenceMs } = levels[level];
  const without = npmProgramNames.filter((name) => missing[name] !== undefined);
  const leftOut = npmProgramNames.flatMap((name) => {
    const reason = level === 'test' && files === undefined ? NOT_IN_NPM_TEST : missing[name];
    return reason === undefined ? [] : [[withoutProgram(name), reason] as const];
  });
  const owned = await startOwned(
    node,
    argv,
    {
      cwd: root,
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ...temporaryVariables(temporary),
        ...Object.fromEntries(leftOut),
        EXEC_SESSIONS_LEVEL: level,
        EXEC_SESSIONS_PROPERTY_RUNS: String(propertyRuns),
        EXEC_SESSIONS_RESULT: resultFile,
        ...env,
      },
    },
    // Programs of its tests have its folder in a variable or as their working directory.
    { marker: temporary },
  );
  const cut = new AbortController();
  const watch = onSilence(
    () => sizeOf(resultFile),
    silenceMs,
    () => {
      cut.abort();
      void owned.stop();
    },
  );
  await owned.exited;
  watch.dispose();
  const survivors = await owned.stop();
  const results = judge(readLines(resultFile), owned.child.exitCode ?? 1);
  return {
    ...results,
    ...(cut.signal.aborted && {
      problem: `no test or hook ended for ${silenceMs / 1000} s, so it was ended`,
    }),
    ...(without.length > 0 && { without: without.map((name) => missing[name]).join('; ') }),
    left: survivors,
  };
}

/** All tests but the longest, for stages that have no part in `npm test`: their tests need no tag. */
const notLong = { titlesInAll: /^(?![^]*@long\b)/ } as const;

/** The part of a stage that runs tests in Mocha. */
type MochaRun = Required<Pick<Stage, 'tests' | 'run'>>;

interface MochaOptions {
  /** The tests that run in `npm run test:all`; by default those that have its tag. */
  readonly titlesInAll?: RegExp;
  /** The program that runs them; our own Node by default. */
  readonly node?: () => Promise<string>;
}

function mocha(tests: TestFiles, { titlesInAll, node }: MochaOptions = {}): MochaRun {
  return {
    tests,
    run: async (context) => {
      const usual = levels[context.level].titles;
      const titles = context.level === 'all' ? (titlesInAll ?? usual) : usual;
      const argv = mochaArgv(tests, context, titles);
      return runProgram(context, argv, node === undefined ? {} : { node: await node() });
    },
  };
}

function mochaArgv(
  { files, except }: TestFiles,
  { level, files: asked }: StageContext,
  titles: RegExp,
): readonly string[] {
  return [
    ...mochaProgram,
    '--timeout',
    String(levels[level].testMs),
    '--grep',
    String(asked === undefined ? titles : notLong.titlesInAll),
    ...(except === undefined ? [] : ['--ignore', except]),
    ...(asked ?? [files]),
  ];
}

/** A stage that cannot run without one of its tools. */
function withTool(name: ToolName, { tests, run }: MochaRun): MochaRun {
  const runIfThere: Run = (context) => {
    const reason = context.missing[name];
    return reason === undefined ? run(context) : Promise.resolve({ notRun: reason });
  };
  return { tests, run: runIfThere };
}

/** The suite in a VS Code. */
function suite(argv: readonly string[], env: NodeJS.ProcessEnv = {}): MochaRun {
  return {
    tests: { files: 'test/vscode/**/*.test.ts' },
    run: (context) =>
      runProgram(context, ['--import', 'tsx', 'test/rig/suite.ts', '--no-build', ...argv], {
        env: {
          ...env,
          ...(context.files === undefined ? {} : { EXEC_SESSIONS_FILES: context.files.join() }),
        },
      }),
  };
}

const attacks = 'test/faults/attacks/*.test.ts';

/** Terminals, pipes, exits and kills: what libuv and Node have a part in. */
const onNewestNode: TestFiles = {
  files: 'test/{contract,faults,cli}/**/{lifecycle,process,stop,tail,pipes,guard}.test.ts',
};

const everyLevel = ['test', 'all', 'long'] as const;

// The longest begins first.
export const stages: readonly Stage[] = [
  { name: 'build', levels: everyLevel, run: buildAll },
  {
    name: 'suite',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs', 'chromium', 'newest'],
    ...suite([]),
  },
  { name: 'typecheck', levels: ['test'], run: script('typecheck') },
  { name: 'lint', levels: ['test'], run: script('lint') },
  {
    name: 'unit',
    levels: ['test', 'all'],
    ...mocha({ files: '{test/unit,test/bench/test}/**/*.test.ts' }),
  },
  {
    name: 'contract',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    peers: ['codex'],
    ...mocha({ files: 'test/contract/**/*.test.ts' }),
  },
  {
    name: 'server',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    peers: ['codex'],
    ...mocha({ files: 'test/server/**/*.test.ts' }),
  },
  {
    name: 'agent',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    peers: ['codex'],
    ...mocha({ files: 'test/agent/**/*.test.ts' }),
  },
  {
    name: 'mcp',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    peers: ['codex'],
    ...mocha({ files: 'test/mcp/**/*.test.ts' }),
  },
  {
    name: 'cli',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    peers: ['nodes'],
    ...mocha({ files: 'test/cli/**/*.test.ts' }),
  },
  {
    name: 'faults',
    levels: everyLevel,
    needsBuild: true,
    tools: ['programs'],
    peers: ['codex'],
    ...mocha({ files: 'test/faults/**/*.test.ts', except: attacks }),
  },
  {
    name: 'engines',
    levels: ['test', 'all'],
    needsBuild: true,
    tools: ['programs'],
    ...mocha({ files: 'test/engines/**/*.test.ts', except: 'test/engines/{podman,slurm}.test.ts' }),
  },
  {
    name: 'smoke',
    levels: ['test'],
    needsBuild: true,
    tools: ['programs', 'chromium', 'newest'],
    ...mocha({ files: 'test/e2e/smoke.test.ts' }),
  },
  {
    name: 'e2e',
    levels: ['all'],
    needsBuild: true,
    tools: ['programs', 'chromium', 'newest'],
    peers: ['codex'],
    ...mocha({ files: 'test/e2e/**/*.test.ts', except: 'test/e2e/smoke.test.ts' }, notLong),
  },
  {
    name: 'interop',
    levels: ['all', 'long'],
    needsBuild: true,
    tools: ['programs', 'codex'],
    peers: ['claude', 'gemini', 'agents', 'conformance', 'conformanceOfTasks'],
    ...withTool('codex', mocha({ files: 'test/interop/**/*.test.ts' }, notLong)),
  },
  {
    name: 'attacks',
    levels: ['all'],
    needsBuild: true,
    tools: ['programs'],
    ...mocha({ files: attacks }, notLong),
  },
  {
    // Terminals end in another way with the libuv of the newest Node, which VS Code's own server uses as well. Two
    // kinds of backend have all that Node has a part in.
    name: 'newest-node',
    levels: ['all'],
    needsBuild: true,
    tools: ['programs', 'newest'],
    ...mocha(onNewestNode, {
      titlesInAll: /^(?![^]*(?:@long\b|\(stdio\)|codex exec-server))/,
      node: async () => (await ensureTools(versions.newest)).node,
    }),
  },
  {
    // The lowest VS Code that the manifest allows, with the sessions in the extension host.
    name: 'oldest',
    levels: ['all'],
    needsBuild: true,
    tools: ['programs', 'chromium', 'oldest'],
    ...suite(['--oldest'], {
      EXEC_SESSIONS_LEVEL: 'test',
      EXEC_SESSIONS_LOCAL_BACKEND: 'extensionHost',
    }),
  },
  {
    name: 'windows',
    levels: ['all'],
    needsBuild: true,
    tools: ['wine'],
    ...withTool('wine', mocha({ files: 'test/windows/**/*.test.ts' }, notLong)),
  },
  {
    name: 'arm64',
    levels: ['all'],
    needsBuild: true,
    tools: ['arm64'],
    ...withTool('arm64', mocha({ files: 'test/arm64/**/*.test.ts' }, notLong)),
  },
  {
    name: 'slurm',
    levels: ['all'],
    needsBuild: true,
    tools: ['slurm'],
    ...withTool('slurm', mocha({ files: 'test/engines/slurm.test.ts' }, notLong)),
  },
  {
    name: 'podman',
    levels: ['all'],
    needsBuild: true,
    tools: ['podman'],
    ...withTool('podman', mocha({ files: 'test/engines/podman.test.ts' }, notLong)),
  },
  { name: 'cuts', levels: ['long'], needsBuild: true, tools: ['programs', 'codex'], run: script('cuts') },
  {
    name: 'bench', // Last, since it measures only things that the other stages have shown to work.
    levels: ['all'],
    needsBuild: true,
    alone: true,
    tools: ['programs', 'codex', 'chromium', 'newest'],
    run: program('test/bench/check.ts', '--no-build'),
  },
];

/** The stage that installs `tools`; it passes whatever cannot be had, which the stages say that use it. */
export function toolsStage(tools: readonly ToolName[]): Stage {
  return {
    name: 'tools',
    levels: everyLevel,
    run: async ({ output, resultFile }) => {
      const env = { ...process.env, EXEC_SESSIONS_RESULT: resultFile };
      const argv = ['--import', 'tsx', 'test/rig/installTools.ts', ...new Set(tools)];
      return passOrFail(await runCommand(process.execPath, argv, { env, output }));
    },
  };
}
