// Runs the same commands with our tools and with those of the peers, and plays the jobs of a model. Writes the tables of
// test/interop/results/agents.md.
//   npm run build && npm run table:agents
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { LocalBackend } from '../../../src/local/index.js';
import { root, say } from '../../rig/paths.js';
import { collectEvents } from '../../support/collect.js';
import { params, PATH } from '../../support/startParams.js';
import { clientFolder } from '../clientProgram.js';
import { type PeerJob, peerJobs, prepare } from './peerJobs.js';
import { shells } from './shells.js';
import { canRun, type Column, peersTable } from './table.js';

/** Runs something in a new folder that has the files for the commands. */
async function inNewFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const { folder, remove } = clientFolder('work');
  const work = path.join(folder, 'work');
  try {
    prepare(work);
    return await run(work);
  } finally {
    await remove();
  }
}

/** The output of the commands. */
async function rawOutputs(cwd: string, jobs: readonly PeerJob[]): Promise<ReadonlyMap<string, string>> {
  const backend = new LocalBackend();
  const raw = new Map<string, string>();
  const env = { PATH, HOME: cwd, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  for (const { title, cmd, tty } of jobs) {
    const argv = ['bash', '-c', cmd];
    const { stdout, stderr } = await collectEvents(
      await backend.start(params({ processId: title, argv, cwd, env, tty })),
    );
    raw.set(title, stdout + stderr);
  }
  await backend.shutdown();
  return raw;
}

/** The table of the jobs, which their tests make. */
function jobsTable(): string {
  const { folder, remove } = clientFolder();
  const file = path.join(folder, 'rows.md');
  // Without the settings of the npm that runs this, which would be those of the npm in the jobs.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const mocha = [path.join(root, 'node_modules/mocha/bin/mocha.js'), '--config', 'test/.mocharc.json'];
  try {
    execFileSync(process.execPath, [...mocha, '--timeout', '120000', 'test/agent/jobs.test.ts'], {
      cwd: root,
      env: { ...env, JOBS_TABLE: file },
      stdio: 'inherit',
    });
    return `| Job | Calls | Tokens |\n| --- | --- | --- |\n${fs.readFileSync(file, 'utf8')}`;
  } finally {
    void remove();
  }
}

/** Puts a text between two marks. */
function fill(page: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark}: begin -->`, `<!-- ${mark}: end -->`];
  const [before, , after] = page.split(new RegExp(`(?<=${begin})([^]*)(?=${end})`));
  if (before === undefined || after === undefined) throw new Error(`There are no marks for ${mark}.`);
  return `${before}\n\n${text}\n\n${after}`;
}

async function main(): Promise<void> {
  const raw = await inNewFolder((folder) => rawOutputs(folder, peerJobs));
  const columns: Column[] = [];
  for (const shell of shells) {
    say(`Running the commands with ${shell.name}`);
    const jobs = peerJobs.filter((job) => canRun(shell, job));
    columns.push({ shell, seen: await inNewFolder((folder) => shell.run(folder, jobs)) });
  }
  const file = path.join(root, 'test/interop/results/agents.md');
  const page = fill(fs.readFileSync(file, 'utf8'), 'peers', peersTable(peerJobs, raw, columns));
  const options = { ...(await resolveConfig(file)), filepath: file };
  fs.writeFileSync(file, await format(fill(page, 'jobs', jobsTable()), options));
}

void main();
