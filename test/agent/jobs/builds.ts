import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Job } from './job.js';

/** Nothing of this asks a registry. */
const QUIET_NPM = '--offline --no-audit --no-fund --foreground-scripts --no-update-notifier';

/** Prints like a test runner: 5,000 lines, one failure in the middle, and the summary at the end. */
const FAILING_TESTS = `
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

const PROGRESS = `
for (let done = 0; done <= 500; done++) process.stdout.write('\\r' + 'downloading '.padEnd(12) + (done / 5).toFixed(0) + '%');
process.stdout.write('\\n');
`;

/** Jobs that run to their end and print much, or little. */
export const builds: readonly Job[] = [
  {
    name: '01-npm-install',
    title: 'npm install, with pipes and in a terminal',
    run: async (play) => {
      const library = path.join(play.folder, 'library');
      fs.mkdirSync(library);
      fs.writeFileSync(path.join(library, 'package.json'), '{"name":"library","version":"1.0.0"}');
      const manifest = {
        name: 'project',
        version: '1.0.0',
        scripts: { preinstall: 'echo preparing' },
        dependencies: { library: 'file:./library' },
      };
      fs.writeFileSync(path.join(play.folder, 'package.json'), JSON.stringify(manifest));
      play.drop(/^(?:> .*)?\n/gm);
      for (const tty of [false, true]) {
        const reply = await play.run({ cmd: `npm install ${QUIET_NPM}`, tty });
        assert.match(reply.output, /preparing/);
      }
    },
  },
  {
    name: '02-failing-test',
    title: 'A failing test in 5,000 lines, in 600 tokens',
    run: async (play) => {
      play.drop(/^ {2}✓ .*\n/gm);
      fs.writeFileSync(path.join(play.folder, 'tests.js'), FAILING_TESTS);
      const reply = await play.run({ argv: [process.execPath, 'tests.js'], max_output_tokens: 600 });
      assert.match(reply.output, /invoice total[^]*\+ 119\.0[^]*1 failing/);
      await play.call('read_output', { session: reply.structured['session'], search: '✗|Error' });
    },
  },
  {
    name: '11-floods',
    title: 'yes, seq 1 1000000',
    run: async (play) => {
      await play.run({ cmd: 'yes | head -n 1000000' });
      play.drop(/^(?:\d{1,3}|99\d{4})\n/gm);
      const flood = await play.run({ cmd: 'seq 1 1000000', max_output_tokens: 256 });
      await play.call('read_output', { session: flood.structured['session'], tail: 3 });
    },
  },
  {
    name: '13-quiet-build',
    title: 'A long build that says nothing until its end',
    run: async (play) => {
      const reply = await play.call('exec_command', {
        cmd: 'until [ -e finish ]; do sleep 0.05; done; echo "built in 42 files"',
        yield_time_ms: 0,
      });
      const session = reply.structured['session'];
      await play.call('wait_for', { session, exit: true, timeout_ms: 300 });
      fs.writeFileSync(path.join(play.folder, 'finish'), '');
      await play.call('wait_for', { session });
    },
  },
  {
    name: '17-characters',
    title: 'Wide characters, emoji, broken UTF-8',
    run: async (play) => {
      await play.run({
        cmd: "printf '日本語 😀 e\\314\\201 \\xe2\\x82'; sleep 0.2; printf '\\xac \\xff broken\\n'",
      });
      await play.run({ cmd: "printf '日本語 😀 e\\314\\201\\n\\xff broken\\n'", tty: true });
    },
  },
  {
    name: '18-sequences',
    title: 'Titles, links, colours',
    run: async (play) => {
      const cmd =
        "printf '\\033]0;a title\\007\\033]8;;https://example.com\\033\\\\a link\\033]8;;\\033\\\\ \\033[1;31mred\\033[0m\\n'";
      await play.run({ cmd });
      await play.run({ cmd, tty: true });
    },
  },
  {
    name: '19-progress',
    title: 'Progress with carriage returns',
    run: async (play) => {
      await play.run({ argv: [process.execPath, '-e', PROGRESS] });
      await play.run({ argv: [process.execPath, '-e', PROGRESS], tty: true });
    },
  },
  {
    name: '21-quoting',
    title: 'Here documents and quotes',
    run: async (play) => {
      await play.run({ cmd: `cat <<'END' > file.txt\n$HOME "quoted" 'single' \\back\nEND\ncat file.txt` });
      await play.run({ argv: ['printf', '%s|', 'a b', '$HOME', '"', "'"] });
      await play.run({ cmd: `echo "$GREETING"`, env: { GREETING: `it's "me"` } });
    },
  },
  {
    name: '22-long-commands',
    title: 'Commands of 100 KB and of 240 KB',
    run: async (play) => {
      const long = 'x'.repeat(100_000);
      const longer = 'y'.repeat(240_000);
      play.hide(longer, 'y{240000}');
      play.hide(long, 'x{100000}');
      await play.run({ argv: ['sh', '-c', 'printf "%s" "$1" | wc -c', 'sh', long] });
      await play.run({ argv: ['sh', '-c', 'printf "%s" "$1" | wc -c', 'sh', longer] });
    },
  },
  {
    name: '23-binary',
    title: 'cat of a program',
    run: async (play) => {
      const size = String(fs.statSync('/bin/ls').size);
      play.hide(size.replace(/\B(?=(?:\d{3})+$)/g, ','), 'SIZE');
      await play.run({ cmd: 'cat /bin/ls' });
    },
  },
];
