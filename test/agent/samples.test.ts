import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { ExecProcess, StartParams } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import {
  estimateTokens,
  OutputDigest,
  SessionScreen,
  START,
  type Digest,
} from '../../src/agent/text/index.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents } from '../support/collect.js';
import { params, sh } from '../support/startParams.js';

const MAX_TOKENS = 10_000;

/** Follows a process to its end as a tool does, and digests its output as it arrives. */
async function digestOf(child: ExecProcess, tty: boolean, maxTokens = MAX_TOKENS): Promise<Digest> {
  const digest = new OutputDigest({
    maxTokens,
    tty,
    columns: 80,
    rows: 24,
    from: START,
  });
  await new Promise<void>((resolve) => {
    // The window holds a flood back while it is digested.
    const subscription = child.subscribe({ windowBytes: 256 * 1024 }, (event) => {
      if (event.type === 'closed' || event.type === 'failed') {
        subscription.dispose();
        resolve();
      } else if (event.type === 'output' || event.type === 'gap') {
        digest.push(event);
        const seq = event.type === 'output' ? event.seq : event.throughSeq;
        void digest.drained().then(() => subscription.acknowledge(seq));
      }
    });
  });
  return digest.finish({ final: true });
}

/** Nothing of this asks a registry. */
const QUIET_NPM = ['--offline', '--no-audit', '--no-fund', '--foreground-scripts', '--no-update-notifier'];

/** A bar of forty characters that is drawn a thousand times. */
const PROGRESS_BAR = `
for (let done = 0; done <= 1000; done++) {
  const filled = Math.floor(done / 25);
  process.stdout.write('\\r\\x1b[32m' + '█'.repeat(filled) + '\\x1b[90m' + '░'.repeat(40 - filled) + '\\x1b[0m ' + (done / 10).toFixed(1) + '% ' + done + '/1000');
}
process.stdout.write('\\nDownloaded.\\n');
`;

/** A package with a script that runs at its installation, and one that depends on it and has 2,001 tests. */
function makeProject(folder: string): string {
  const library = path.join(folder, 'library');
  const project = path.join(folder, 'project');
  for (const one of [library, project]) mkdirSync(one);
  const manifests = {
    [library]: { name: 'library', version: '1.0.0' },
    [project]: {
      name: 'project',
      version: '1.0.0',
      scripts: { preinstall: 'echo preparing', test: 'node --test --test-reporter=tap' },
      dependencies: { library: 'file:../library' },
    },
  };
  for (const [one, manifest] of Object.entries(manifests)) {
    writeFileSync(path.join(one, 'package.json'), JSON.stringify(manifest));
  }
  writeFileSync(
    path.join(project, 'math.test.js'),
    `const test = require('node:test');
     const assert = require('node:assert/strict');
     for (let index = 1; index <= 2001; index++) {
       test('handles case ' + index + ' without an error', () => assert.equal(2 + 2, index === 1001 ? 5 : 4));
     }`,
  );
  return project;
}

describe('text of real programs for a model', () => {
  const backend = new LocalBackend();
  let folder = '';
  let project = '';

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
    project = makeProject(folder);
  });

  after(async () => {
    await backend.shutdown();
    rmSync(folder, { recursive: true });
  });

  function start(name: string, some: Partial<StartParams> & { readonly argv: readonly string[] }) {
    return backend.start(params({ ...some, processId: name }));
  }

  async function sample(name: string, argv: readonly string[], tty: boolean): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: folder };
    const child = await start(name, { argv, tty, cwd: project, env });
    return (await digestOf(child, tty)).text;
  }

  const script = (source: string) => [process.execPath, '-e', source];

  it('npm install: what its script says and the summary, no spinner', async () => {
    const text = await sample('npm install, in a terminal', ['npm', 'install', ...QUIET_NPM], true);
    assert.match(text, /^preparing$/m);
    assert.match(text, /^added 1 package in /m);
    // The frames of the spinner, and the sequences that erase them.
    assert.doesNotMatch(text, /[\u2800-\u28ff\u001b]/);
  });

  for (const tty of [true, false]) {
    it(`a progress bar ${tty ? 'in a terminal' : 'into a pipe'}: its last state`, async () => {
      const text = await sample(
        `progress bar, ${tty ? 'in a terminal' : 'into a pipe'}`,
        script(PROGRESS_BAR),
        tty,
      );
      assert.equal(text, `${'█'.repeat(40)} 100.0% 1000/1000\nDownloaded.\n`);
    });
  }

  it('npm test with one failure in the middle: the failure and its message', async () => {
    const text = await sample(
      '2,001 tests, one fails in the middle',
      ['npm', 'test', '--no-update-notifier'],
      false,
    );
    assert.match(text, /^TAP version 13$/m);
    assert.match(text, /^not ok 1001 - handles case 1001 without an error$/m);
    assert.match(text, /4 !== 5/);
    assert.match(text, /^# pass 2000\n# fail 1$/m);
    assert.match(text, /lines \([\d,]+ tokens\) left out; read_output cursor=/);
  });

  it('yes | head -n 1000000: one line and a count', async () => {
    const text = await sample('yes | head -n 1000000', sh('yes | head -n 1000000'), false);
    assert.equal(text, 'y\n[the line above 999,999 times more]\n');
  });

  it('a flood of lines that differ: the ends and what is between, in little memory', async () => {
    const text = await sample('seq 1 1000000', sh('seq 1 1000000'), false);
    assert.match(text, /^1\n2\n/);
    assert.match(text, /\n1000000\n$/);
    assert.ok(estimateTokens(text) <= MAX_TOKENS);
  });

  it('vim: its screen as a person sees it, and its last screen afterwards', async () => {
    const file = path.join(folder, 'notes.txt');
    writeFileSync(file, Array.from({ length: 40 }, (_, index) => `note ${index + 1}`).join('\n'));
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: folder };
    const argv = ['vim', '-N', '-u', 'NONE', '-i', 'NONE', '-n', file];
    const vim = await start('vim', { argv, tty: true, env });
    const screen = new SessionScreen(vim);
    const shows = async (condition: (lines: readonly string[]) => boolean) => {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          const wake = vim.onWake(() => {
            wake.dispose();
            resolve();
          });
        });
        const snapshot = await screen.snapshot();
        if (condition(snapshot.lines)) {
          return snapshot;
        }
        await woken;
      }
    };
    const first = await shows(
      (lines) => lines.includes('note 23') && lines.some((line) => line.includes('notes.txt')),
    );
    assert.deepEqual(
      first.lines.slice(0, 23),
      Array.from({ length: 23 }, (_, index) => `note ${index + 1}`),
    );
    assert.equal(first.alternate, true);
    assert.equal(first.incomplete, false);
    assert.deepEqual(first.cursor, { row: 0, column: 0 });
    await vim.write(utf8('Onew first line'));
    const typed = await shows(
      (lines) => lines[0] === 'new first line' && lines.some((line) => line.includes('INSERT')),
    );
    assert.equal(typed.lines[1], 'note 1');
    await vim.write(utf8('\u001b:wq\r'));
    await collectEvents(vim);
    const { text } = await digestOf(vim, true);
    assert.match(
      text,
      /\[a full-screen program had the terminal; its last screen:\]\nnew first line\nnote 1\n/,
    );
    screen.dispose();
  });
});
