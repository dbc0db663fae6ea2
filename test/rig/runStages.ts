import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MissingTools } from './installTools.js';
import { endAll, isEndedBySignal, temporaryFolder } from './lifetime.js';
import { messageOf, say } from './paths.js';
import { runSideBySide, type Job } from './sideBySide.js';
import { StageOutput } from './stageOutput.js';
import { stages, toolsStage, type Stage, type StageResults } from './stages.js';

/** How often what the stages have printed is looked for. */
const FLUSH_MS = 200;

/** Most stages wait half of the time, so there is one more of them than there are processors. */
const WIDTH = os.availableParallelism() + 1;

/** Runs the named stages, or all; resolves with the exit code. */
export async function runStages(names: readonly string[]): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-test-'));
  temporaryFolder(folder);
  const output = new StageOutput((text) => void process.stdout.write(text));
  const flushing = setInterval(() => output.flush(), FLUSH_MS);
  const run = new StageRun(folder, output);
  try {
    await runSideBySide(run.jobs(select(names)), WIDTH, () => !isEndedBySignal());
  } catch (error) {
    run.problem(messageOf(error));
  }
  await endAll();
  clearInterval(flushing);
  output.flush();
  return run.report();
}

function select(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No such stage: ${unknown.join(', ')}. There are ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  const asked = stages.filter(
    ({ name, onRequest = false }) => names.includes(name) || (names.length === 0 && !onRequest),
  );
  const needsBuild = asked.some((stage) => stage.needsBuild);
  const selected = stages.filter((stage) => asked.includes(stage) || (stage.name === 'build' && needsBuild));
  const tools = asked.flatMap((stage) => stage.tools ?? []);
  return tools.length === 0 ? selected : [toolsStage(tools), ...selected];
}

/** What is known of a run while its stages go on. */
class StageRun {
  readonly #folder: string;
  readonly #output: StageOutput;
  readonly #results = new Map<string, StageResults>();
  readonly #lines = new Map<string, string>();
  readonly #problems: string[] = [];
  #missing: MissingTools = {};

  constructor(folder: string, output: StageOutput) {
    this.#folder = folder;
    this.#output = output;
  }

  jobs(selected: readonly Stage[]): readonly Job[] {
    // The report has the order of the stages, whichever is over first.
    for (const { name } of selected) this.#lines.set(name, `${name}: it was not reached`);
    return selected.map((stage) => ({
      name: stage.name,
      after: [...(stage.needsBuild ? ['build'] : []), ...(stage.tools ? ['tools'] : [])],
      alone: stage.alone ?? false,
      run: () => this.#run(stage),
    }));
  }

  /** Takes note of something that is wrong with the run itself. */
  problem(text: string): void {
    this.#problems.push(text);
  }

  async #run(stage: Stage): Promise<void> {
    const started = Date.now();
    const { name } = stage;
    const part = this.#output.begin(`== ${name}`, path.join(this.#folder, `${name}.log`));
    const resultFile = path.join(this.#folder, `${name}.results`);
    let line = `${name}: it was not reached`;
    try {
      const results =
        stage.needsBuild && this.#results.get('build')?.failed !== 0
          ? { passed: 0, failed: 1, problem: 'it needs the build, which failed' }
          : await stage.run({ output: part.descriptor, resultFile, missing: this.#missingOf(stage) });
      if ('notRun' in results) {
        line = `${name}: not run: ${results.notRun}`;
      } else {
        this.#results.set(name, results);
        line = lineOf(name, results, Date.now() - started);
        if (name === 'tools') this.#missing = readMissing(resultFile);
      }
    } finally {
      this.#lines.set(name, line);
      part.end(`== ${line}`);
    }
  }

  #missingOf({ tools = [] }: Stage): MissingTools {
    return Object.fromEntries(
      Object.entries(this.#missing).filter(([name]) => tools.some((tool) => tool === name)),
    );
  }

  /** Prints the results and resolves with the exit code. */
  report(): number {
    const all = [...this.#results];
    // Failures are named at the end as well, since often only the end of a long log is kept.
    for (const [name, { failures = [] }] of all) {
      for (const failure of failures) say(`\nFailed in ${name}: ${failure}`);
    }
    say(`\n${[...this.#lines.values(), ...this.#problems].join('\n')}`);
    for (const reason of Object.values(this.#missing)) say(reason);
    const sum = (of: 'passed' | 'failed'): number =>
      all.reduce((total, [, results]) => total + results[of], 0);
    const failed = sum('failed') + this.#problems.length;
    say(`\n${sum('passed')} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  }
}

function lineOf(name: string, { passed, failed, problem, without }: StageResults, ms: number): string {
  const remarks = [
    ...(problem === undefined ? [] : [problem]),
    ...(without === undefined ? [] : [`not all was run: ${without}`]),
  ];
  const line = `${name}: ${passed} passed, ${failed} failed, ${(ms / 1000).toFixed(1)} s`;
  return remarks.length === 0 ? line : `${line} (${remarks.join('; ')})`;
}

/** What the stage that installs the tools could not install. */
function readMissing(file: string): MissingTools {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as MissingTools;
  } catch {
    // It broke off, and has failed.
    return {};
  }
}
