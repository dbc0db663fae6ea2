import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import {
  BINARY,
  CHARACTERS,
  FAILING_TESTS,
  NPM_INSTALL,
  PROGRESS,
  REPOSITORY,
  SEQ,
  SEQUENCES,
  VIM,
  writeNpmProject,
  YES,
} from '../../agent/jobs/commands.js';

/** A command that ends, and the reason why a model runs it. */
export interface PeerJob {
  readonly title: string;
  readonly cmd: string;
  /** Whether it is run in a terminal. */
  readonly tty: boolean;
  /** The question that the model wants to have answered. */
  readonly question: string;
  /** Whether a reply, without the command that it may repeat, answers that. */
  readonly isAnswered: (reply: string) => boolean;
}

/**
 * Crashes after 2,000 lines, with a cause in whose stack are 3,000 frames. It prints the error itself: of what Node prints
 * of an uncaught one, a pipe that is full loses a part.
 */
const CRASH = `
Error.stackTraceLimit = Infinity;
function tariffOf(zone, depth) {
  if (depth === 0) throw new Error('no tariff for zone ' + zone);
  return partOf(zone, depth) + 0;
}
function partOf(zone, depth) { return tariffOf(zone, depth - 1) + 0; }
for (let n = 1; n <= 2000; n++) console.log('order ' + n + ' priced');
try {
  tariffOf(7, 1500);
} catch (cause) {
  console.error(new Error('cannot price order 2001', { cause }));
  process.exitCode = 1;
}
`;

/** Puts the files for the commands into the folder that they run in. */
export function prepare(folder: string): void {
  writeNpmProject(folder);
  const files = { 'tests.js': FAILING_TESTS, 'progress.js': PROGRESS, 'crash.js': CRASH };
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'note 1\nnote 2\n');
  execFileSync('bash', ['-c', REPOSITORY], { cwd: folder });
}

const all =
  (...parts: readonly RegExp[]) =>
  (reply: string): boolean =>
    parts.every((part) => part.test(reply));

const npmInstall = {
  cmd: NPM_INSTALL,
  question: 'what its script says, and what was added',
  isAnswered: all(/^preparing\s*$/m, /added 1 package in|up to date in/),
};

const progress = {
  cmd: 'node progress.js',
  question: 'how far it came',
  isAnswered: all(/downloading 100%\s*$/m),
};

export const peerJobs: readonly PeerJob[] = [
  { title: '`npm install`', tty: false, ...npmInstall },
  { title: '`npm install`, in a terminal', tty: true, ...npmInstall },
  {
    title: 'A failing test in 5,000 lines',
    cmd: 'node tests.js',
    tty: false,
    question: 'the assertion, its place, and the summary',
    isAnswered: all(/invoice total/, /\+ 119\.0/, /invoice\.test\.js:88/, /4999 passing[^]*1 failing/),
  },
  {
    title: '`yes | head -n 1000000`',
    cmd: YES,
    tty: false,
    question: 'which lines, and how many',
    isAnswered: all(/^y$/m, /999,?999|1,?000,?000/),
  },
  {
    title: '`seq 1 1000000`',
    cmd: SEQ,
    tty: false,
    question: 'both ends',
    isAnswered: all(/^1\n2\n3$/m, /^999999\n1000000$/m),
  },
  { title: 'A progress bar', tty: false, ...progress },
  { title: 'A progress bar, in a terminal', tty: true, ...progress },
  {
    title: 'Colours, a link, a title',
    cmd: SEQUENCES,
    tty: false,
    question: 'the text, with nothing in between',
    isAnswered: all(/a link red$/m),
  },
  {
    title: 'Wide characters, broken UTF-8',
    cmd: CHARACTERS,
    tty: false,
    question: 'every character',
    isAnswered: all(/日本語 😀 (?:é|e\u0301) € \ufffd broken/),
  },
  {
    title: '`cat /bin/ls`',
    cmd: BINARY,
    tty: false,
    question: 'that it is binary, and its size',
    isAnswered: all(/binary/i, /\d[\d,.]* ?(?:bytes|KB|KiB)/i),
  },
  {
    title: '`git log`',
    cmd: 'git -C repo log',
    tty: false,
    question: 'all three commits',
    isAnswered: all(/Add three[^]*Add two[^]*Add one/),
  },
  {
    title: 'A crash: 2,000 lines, 3,000 frames',
    cmd: 'node crash.js',
    tty: false,
    question: 'the error and its cause',
    isAnswered: all(/^Error: cannot price order 2001/m, /Error: no tariff for zone 7/),
  },
  {
    title: 'vim: add a line, save, quit',
    cmd: `${VIM.join(' ')} -c 'normal Onew first line' -c wq notes.txt; head -n 1 notes.txt`,
    tty: true,
    question: 'the first line of the file',
    isAnswered: all(/^new first line\s*$/m),
  },
];
