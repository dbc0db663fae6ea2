import fs from 'node:fs';
import path from 'node:path';

/** The commands that both the jobs and the table of peers run. */

/** Installs what `writeNpmProject` has made. Nothing of this asks a registry. */
export const NPM_INSTALL =
  'npm install --offline --no-audit --no-fund --foreground-scripts --no-update-notifier';

/** Makes a package that depends on one beside it, and has a script that runs at the installation. */
export function writeNpmProject(folder: string): void {
  const library = path.join(folder, 'library');
  fs.mkdirSync(library);
  fs.writeFileSync(path.join(library, 'package.json'), '{"name":"library","version":"1.0.0"}');
  const manifest = {
    name: 'project',
    version: '1.0.0',
    scripts: { preinstall: 'echo preparing' },
    dependencies: { library: 'file:./library' },
  };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Prints like a test runner: 5,000 lines, one failure in the middle, and the summary at the end. */
export const FAILING_TESTS = `
for (let n = 1; n <= 5000; n++) {
  if (n !== 2500) { console.log('  ✓ should handle case number ' + n + ' of the input matrix (1ms)'); continue; }
  console.log('  ✗ should compute the invoice total for EU customers');
  console.log('    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:');
  console.log('    + 119.0');
  console.log('    - 121.0');
  console.log('        at Context.<anonymous> (test/invoice.test.js:88:14)');
}
console.log('\\n  4999 passing (12s)\\n  1 failing');
process.exitCode = 1;
`;

/** Draws one line again and again. */
export const PROGRESS = `
for (let done = 0; done <= 500; done++) process.stdout.write('\\r' + 'downloading '.padEnd(12) + (done / 5).toFixed(0) + '%');
process.stdout.write('\\n');
`;

export const YES = 'yes | head -n 1000000';

export const SEQ = 'seq 1 1000000';

/** Wide characters, one that is split between two writes, and bytes that are no UTF-8. */
export const CHARACTERS = "printf '日本語 😀 e\\314\\201 \\xe2\\x82'; printf '\\xac \\xff broken\\n'";

/** A title, a link and colours. */
export const SEQUENCES =
  "printf '\\033]0;a title\\007\\033]8;;https://example.com\\033\\\\a link\\033]8;;\\033\\\\ \\033[1;31mred\\033[0m\\n'";

export const BINARY = 'cat /bin/ls';

export const GIT =
  'git -c user.name=Agent -c user.email=agent@example.com -c commit.gpgsign=false -c advice.waitingForEditor=false';

/** Makes the repository `repo` with three commits, whose hashes are the same each time, and enters it. */
export const REPOSITORY = [
  'export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null',
  'export GIT_AUTHOR_DATE="2026-01-01T00:00:00Z" GIT_COMMITTER_DATE="2026-01-01T00:00:00Z"',
  'git init -q -b main repo',
  'cd repo',
  ...['one', 'two', 'three'].map(
    (name) => `echo ${name} > ${name}.txt && git add . && ${GIT} commit -q -m "Add ${name}"`,
  ),
].join(' && ');

/** vim without the settings of the user who runs it. */
export const VIM = ['vim', '-N', '-u', 'NONE', '-i', 'NONE', '-n'];
