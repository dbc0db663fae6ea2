import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import {
  BINARY,
  CHARACTERS,
  FAILING_TESTS,
  NPM_INSTALL,
  PROGRESS,
  SEQ,
  SEQUENCES,
  writeNpmProject,
  YES,
} from './commands.js';
import type { Job } from './job.js';

/** Jobs that run to their end and print much, or little. */
export const builds: readonly Job[] = [
  {
    name: '01-npm-install',
    title: 'npm install, with pipes and in a terminal',
    run: async (play) => {
      writeNpmProject(play.folder);
      play.drop(/^(?:> .*)?\n/gm);
      for (const tty of [false, true]) {
        const reply = await play.run({ cmd: NPM_INSTALL, tty, env: { npm_config_loglevel: 'notice' } });
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
      const reply = await play.run({ argv: ['node', 'tests.js'], max_output_tokens: 600 });
      assert.match(reply.output, /invoice total[^]*\+ 119\.0[^]*1 failing/);
      await play.call('read_output', { session: reply.structured['session'], search: '✗|Error' });
    },
  },
  {
    name: '11-floods',
    title: 'yes, seq 1 1000000',
    run: async (play) => {
      await play.run({ cmd: YES });
      play.drop(/^(?:\d{1,3}|99\d{4})\n/gm);
      const flood = await play.run({ cmd: SEQ, max_output_tokens: 256 });
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
      await play.run({ cmd: CHARACTERS });
      await play.run({ cmd: "printf '日本語 😀 e\\314\\201\\n\\xff broken\\n'", tty: true });
    },
  },
  {
    name: '18-sequences',
    title: 'Titles, links, colours',
    run: async (play) => {
      await play.run({ cmd: SEQUENCES });
      await play.run({ cmd: SEQUENCES, tty: true });
    },
  },
  {
    name: '19-progress',
    title: 'Progress with carriage returns',
    run: async (play) => {
      await play.run({ argv: ['node', '-e', PROGRESS] });
      await play.run({ argv: ['node', '-e', PROGRESS], tty: true });
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
      await play.run({ cmd: BINARY });
    },
  },
];
