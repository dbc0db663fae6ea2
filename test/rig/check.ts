import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript';

import { mochaProgram, runCommand, runScript } from './commands.js';
import { endAll, temporaryFolder } from './lifetime.js';
import { root, say } from './paths.js';
import { allTestFiles } from './testFiles.js';

/**
 * Checks the types of everything. Checks the lint and the unit tests of the files that differ from the last commit;
 * without such files, of those in the last commit. Resolves with the exit code.
 */
export async function check(): Promise<number> {
  const changed = changedFiles();
  const code = changed.filter((file) => /\.(?:ts|mjs|cjs)$/.test(file));
  const tests = testsOf(code);
  say(`${changed.length} files have changed, and ${tests.length} files of unit tests depend on them.`);
  const failed: string[] = [];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-check-'));
  temporaryFolder(folder);
  const run = async (name: string, command: (output: number) => Promise<number>): Promise<void> => {
    // Each is printed in one piece, since they run side by side.
    const log = path.join(folder, name);
    const output = fs.openSync(log, 'w');
    const exitCode = await command(output);
    fs.closeSync(output);
    if (exitCode === 0) return;
    failed.push(name);
    say(`\n== ${name}\n${fs.readFileSync(log, 'utf8').trim()}`);
  };
  const node = (name: string, ...argv: readonly string[]): Promise<void> =>
    run(name, (output) => runCommand(process.execPath, argv, { output }));
  const eslint = [
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    'node_modules/.cache/eslint/',
  ];
  await Promise.all([
    run('types', (output) => runScript('typecheck', { output })),
    code.length > 0 &&
      node('lint', 'node_modules/eslint/bin/eslint.js', ...eslint, '--no-warn-ignored', ...code),
    changed.length > 0 &&
      node('format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...changed),
    tests.length > 0 && node('unit tests', ...mochaProgram, ...tests),
  ]);
  await endAll();
  say(failed.length === 0 ? 'All is well.' : `Not in order: ${failed.sort().join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

function changedFiles(): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const uncommitted = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const changed = uncommitted.length > 0 ? uncommitted : git('show', '--name-only', '--format=');
  return changed.filter((file) => fs.existsSync(path.join(root, file)));
}

/** The unit tests among the files, and those that import one of the files, however far away. */
function testsOf(changed: readonly string[]): readonly string[] {
  const wanted = new Set(changed);
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    // A circle of types ends here.
    known.set(file, wanted.has(file));
    const does = wanted.has(file) || importsOf(file).some(reaches);
    known.set(file, does);
    return does;
  };
  return allTestFiles().filter((file) => file.startsWith('test/unit/') && reaches(file));
}

function importsOf(file: string): readonly string[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName).replace(/\.js$/, '.ts'))
    .filter((imported) => imported.endsWith('.ts') && fs.existsSync(path.join(root, imported)));
}
