import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MissingTools } from './installTools.js';
import type { Level } from './levels.js';
import { endAll, isEndedBySignal, temporaryFolder } from './lifetime.js';
import { messageOf, say } from './paths.js';
import { slowest } from './results.js';
import { runSideBySide, type Job } from './sideBySide.js';
import { StageOutput } from './stageOutput.js';
import { stages, toolsStage, type Stage, type StageResults } from './stages.js';
import { linkTsxCache } from './temporaryFiles.js';
import { allTestFiles, includes } from './testFiles.js';
import { versions } from './versions.js';

/** How often the output of the stages is looked at, in milliseconds. */
const FLUSH_MS = 200;

/** A stage, and the files that are asked for, if not all of its files are. */
interface Asked {
  readonly stage: Stage;
  readonly files?: readonly string[];
}

/** How many tests have passed and failed, and each failure. */
interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

/** Runs all stages of some levels, one level after the other; resolves with the exit code. */
export async function runLevels(levels: readonly Level[]): Promise<number> {
  const sums: Sum[] = [];
  for (const level of levels) {
    if (isEndedBySignal()) break;
    say(`=== ${level}`);
    sums.push(await runStages(level, []));
  }
  const sum = (of: 'passed' | 'failed'): number => sums.reduce((total, some) => total + some[of], 0);
  // Often only the end of a long log is kept, and it has the report of the last level alone.
  for (const { failures } of sums.slice(0, -1)) failures.forEach((failure) => say(`\n${failure}`));
  say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

/** Runs the stages and files of tests with the given names, or all stages of a level. */
export async function runStages(level: Level, names: readonly string[]): Promise<Sum> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-run-'));
  temporaryFolder(folder);
  const output = new StageOutput((text) => void process.stdout.write(text));
  const flushing = setInterval(() => output.flush(), FLUSH_MS);
  const run = new StageRun(level, folder, output);
  try {
    // One for each processor: three stages side by side on two take as long as one after the other.
    await runSideBySide(run.jobs(select(level, names)), os.availableParallelism(), () => !isEndedBySignal());
  } catch (error) {
    run.problem(messageOf(error));
  }
  await endAll();
  clearInterval(flushing);
  output.flush();
  return run.report();
}

function select(level: Level, names: readonly string[]): readonly Asked[] {
  const ofLevel = stages.filter(({ levels }) => levels.includes(level));
  const asked = names.length === 0 ? ofLevel.map((stage): Asked => ({ stage })) : named(ofLevel, names);
  const tools = asked.flatMap(({ stage: { tools: some = [], peers = [] }, files }) =>
    level === 'test' && files === undefined ? some : [...some, ...peers],
  );
  const needsBuild =
    asked.some(({ stage }) => stage.needsBuild) && !asked.some(({ stage }) => stage.name === 'build');
  return [
    ...(tools.length === 0 ? [] : [{ stage: toolsStage(tools) }]),
    ...stages.filter(({ name }) => needsBuild && name === 'build').map((stage) => ({ stage })),
    ...asked,
  ];
}

/** @throws Error if a name is neither that of a stage nor part of the path of a file of tests. */
function named(ofLevel: readonly Stage[], names: readonly string[]): readonly Asked[] {
  const files = new Map<Stage, string[]>();
  const whole = new Set<Stage>();
  for (const name of names) {
    const stage = ofLevel.find((one) => one.name === name);
    if (stage !== undefined) {
      whole.add(stage);
      continue;
    }
    const matching = allTestFiles().filter((file) => file.includes(name));
    if (matching.length === 0) {
      throw new Error(
        `No stage has the name ${name}, and no file of tests has it in its path. ` +
          `The stages are ${ofLevel.map((one) => one.name).join(', ')}.`,
      );
    }
    for (const file of matching) {
      const runner = stages.find(({ tests }) => tests !== undefined && includes(tests, file));
      if (runner !== undefined) files.set(runner, [...(files.get(runner) ?? []), file]);
    }
  }
  return stages.flatMap((stage) => {
    if (whole.has(stage)) return [{ stage }];
    const own = files.get(stage);
    return own === undefined ? [] : [{ stage, files: own }];
  });
}

/** The state of a run while its stages go on. */
class StageRun {
  readonly #level: Level;
  readonly #folder: string;
  readonly #output: StageOutput;
  readonly #results = new Map<string, StageResults>();
  readonly #lines = new Map<string, string>();
  readonly #problems: string[] = [];
  #missing: MissingTools = {};

  constructor(level: Level, folder: string, output: StageOutput) {
    this.#level = level;
    this.#folder = folder;
    this.#output = output;
  }

  jobs(asked: readonly Asked[]): readonly Job[] {
    // The report has the order of the stages, whichever is over first.
    for (const { stage } of asked) this.#lines.set(stage.name, `${stage.name}: it was not reached`);
    return asked.map(({ stage, files }) => ({
      name: stage.name,
      after: [...(stage.needsBuild ? ['build'] : []), ...(stage.tools ? ['tools'] : [])],
      alone: stage.alone ?? false,
      run: () => this.#run(stage, files),
    }));
  }

  /** Takes note of something that is wrong with the run itself. */
  problem(text: string): void {
    this.#problems.push(text);
  }

  async #run(stage: Stage, files: readonly string[] | undefined): Promise<void> {
    const started = Date.now();
    const { name } = stage;
    const part = this.#output.begin(`== ${name}`, path.join(this.#folder, `${name}.log`));
    const resultFile = path.join(this.#folder, `${name}.results`);
    // The path is short, since the sockets of the tests lie below it.
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'es-'));
    const remove = temporaryFolder(temporary);
    let line = `${name}: it was not reached`;
    try {
      // Programs that run as another user come through it.
      fs.chmodSync(temporary, 0o711);
      linkTsxCache(temporary);
      const results =
        stage.needsBuild && this.#results.get('build')?.failed !== 0
          ? { passed: 0, failed: 1, problem: 'it needs the build, which failed' }
          : await stage.run({
              level: this.#level,
              ...(files !== undefined && { files }),
              output: part.descriptor,
              resultFile,
              temporary,
              missing: this.#missingOf(stage),
            });
      if ('notRun' in results) {
        line = `${name}: not run: ${results.notRun}`;
      } else {
        this.#results.set(name, results);
        line = lineOf(name, results, Date.now() - started);
        if (name === 'tools') this.#missing = readMissing(resultFile);
      }
    } finally {
      await remove().catch((error: unknown) => this.problem(`${name}: ${messageOf(error)}`));
      this.#lines.set(name, line);
      part.end(`== ${line}`);
    }
  }

  #missingOf({ tools = [], peers = [] }: Stage): MissingTools {
    return Object.fromEntries(
      Object.entries(this.#missing).filter(([name]) => [...tools, ...peers].some((tool) => tool === name)),
    );
  }

  /** Prints the results. */
  report(): Sum {
    const all = [...this.#results];
    const failures = all.flatMap(([name, { failures: some = [], problem }]) => [
      ...some.map((failure) => `Failed in ${name}: ${failure}`),
      ...(problem === undefined ? [] : [`${name}: ${problem}`]),
    ]);
    failures.forEach((failure) => say(`\n${failure}`));
    const times = all.flatMap(([name, results]) =>
      (results.times ?? []).map(({ title, ms }) => ({ title: `${name}: ${title}`, ms })),
    );
    if (times.length > 0) say('\nThe slowest tests and hooks:');
    for (const { title, ms } of slowest(times)) say(`${(ms / 1000).toFixed(1)} s  ${title}`);
    say(`\n${[...this.#lines.values(), ...this.#problems].join('\n')}`);
    for (const reason of Object.values(this.#missing)) say(reason);
    for (const [name, { left = [] }] of all) {
      for (const { pid, command } of left)
        say(`${name} left process ${pid} running, which was killed: ${command}`);
    }
    if (this.#level === 'test' && this.#lines.has('contract')) {
      say(
        `Nothing of the real codex exec-server ran: its answers are recordings of version ${versions.codex}.`,
      );
    }
    const sum = (of: 'passed' | 'failed'): number =>
      all.reduce((total, [, results]) => total + results[of], 0);
    const [passed, failed] = [sum('passed'), sum('failed') + this.#problems.length];
    say(`\n${passed} passed, ${failed} failed`);
    return { passed, failed, failures };
  }
}

function lineOf(
  name: string,
  { passed, failed, problem, without, left = [] }: StageResults,
  ms: number,
): string {
  const remarks = [
    ...(problem === undefined ? [] : [problem]),
    ...(left.length === 0 ? [] : [`${left.length} processes were left running`]),
    ...(without === undefined ? [] : [`not all was run: ${without}`]),
  ];
  const line = `${name}: ${passed} passed, ${failed} failed, ${(ms / 1000).toFixed(1)} s`;
  return remarks.length === 0 ? line : `${line} (${remarks.join('; ')})`;
}

/** The tools that the stage for installing them could not install. */
function readMissing(file: string): MissingTools {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as MissingTools;
  } catch {
    // It broke off, and has failed.
    return {};
  }
}
