import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { mochaProgram } from '../rig/commands.js';
import { levels } from '../rig/levels.js';
import { messageOf, root, say } from '../rig/paths.js';
import { killIfThere } from '../support/killIfThere.js';
import { type Mutation, mutations } from './mutations.js';

/**
 * Breaks the source in one place after the other, and says which tests notice that.
 *   node --import tsx test/mutations/main.ts [NUMBER...]
 */

type Catcher = 'npm test' | 'test:all' | 'nothing';

/** The commands that run tests, and their levels. */
const commands = [
  ['npm test', levels.test],
  ['test:all', levels.all],
] as const;

/** Tests that take longer turn in circles. */
const LIMIT_MS = 15 * 60_000;

const inSuite = ({ tests }: Mutation): boolean => tests.some((file) => file.startsWith('test/vscode/'));

let child: ChildProcess | undefined;
/** Takes the mutation back that is in the work tree now. */
let restore = (): void => undefined;

/** Resolves with whether the program has ended well, and what it has printed. */
async function run(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ ok: boolean; output: string }> {
  const started = spawn(process.execPath, argv, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const timer = setTimeout(end, LIMIT_MS);
  const code = await new Promise((resolve, reject) => started.once('close', resolve).once('error', reject));
  clearTimeout(timer);
  child = undefined;
  return { ok: code === 0, output };
}

/** Ends the tests that run now, with what they have started. */
function end(): void {
  if (child?.pid !== undefined) {
    killIfThere(-child.pid);
  }
}

async function build(): Promise<void> {
  const { ok, output } = await run(['esbuild.mjs']);
  if (!ok) {
    throw new Error(`The build failed:\n${output}`);
  }
}

/** Finds the first level with a test that fails. */
async function catcherOf(mutation: Mutation): Promise<Catcher> {
  const { tests, grep = '' } = mutation;
  if (inSuite(mutation)) {
    const { ok } = await run(['--import', 'tsx', 'test/rig/suite.ts', '--grep', grep]);
    return ok ? 'nothing' : 'npm test';
  }
  for (const [name, { titles, propertyRuns }] of commands) {
    // Mocha takes one pattern, so that of the level looks ahead.
    const wanted = `(?=${titles.source})[^]*(?:${grep})`;
    const { ok } = await run([...mochaProgram, '--bail', '--grep', wanted, ...tests], {
      EXEC_SESSIONS_PROPERTY_RUNS: String(propertyRuns),
    });
    if (!ok) {
      return name;
    }
  }
  return 'nothing';
}

/** @throws Error if the file has changes of its own, which could get lost. */
async function tryOut(mutation: Mutation): Promise<Catcher> {
  const { file, from, to, built } = mutation;
  if (execFileSync('git', ['status', '--porcelain', '--', file], { cwd: root }).length > 0) {
    throw new Error(`${file} has changes that are not committed.`);
  }
  const place = path.join(root, file);
  const text = fs.readFileSync(place, 'utf8');
  restore = () => {
    fs.writeFileSync(place, text);
    restore = () => undefined;
  };
  try {
    fs.writeFileSync(
      place,
      text.replace(from, () => to),
    );
    if (built) {
      await build();
    }
    return await catcherOf(mutation);
  } finally {
    restore();
  }
}

async function main(numbers: readonly number[]): Promise<void> {
  const chosen = [...mutations.entries()].filter(
    ([index]) => numbers.length === 0 || numbers.includes(index + 1),
  );
  const unbroken = new Map<string, Catcher>();
  const catchers: Catcher[] = [];
  for (const [index, mutation] of chosen) {
    // Tests that fail anyhow would catch everything.
    const key = [...mutation.tests, mutation.grep].join(' ');
    if (!unbroken.has(key)) {
      unbroken.set(key, await catcherOf(mutation));
    }
    if (unbroken.get(key) !== 'nothing') {
      throw new Error(`${key}: fails without a mutation.`);
    }
    const begun = performance.now();
    const catcher = await tryOut(mutation);
    catchers.push(catcher);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    say(`${index + 1}. ${mutation.file}: caught by ${catcher} (${seconds} s)`);
    if (catcher === 'nothing') {
      say(`    ${mutation.from} → ${mutation.to}\n    ${mutation.why}`);
    }
  }
  if (chosen.some(([, mutation]) => mutation.built === true || inSuite(mutation))) {
    await build();
  }
  const count = (wanted: Catcher): number => catchers.filter((catcher) => catcher === wanted).length;
  say(
    `${count('npm test')} of ${catchers.length} caught by npm test, ` +
      `${count('test:all')} more by test:all, ${count('nothing')} by none`,
  );
  process.exitCode = count('nothing') > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    restore();
    end();
    say('The source is as it was; what is in dist may be of a mutation.');
    process.exit(1);
  });
}

main(process.argv.slice(2).map(Number)).catch((error: unknown) => {
  say(messageOf(error));
  process.exitCode = 1;
});
