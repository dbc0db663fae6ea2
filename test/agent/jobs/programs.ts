import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { GIT, REPOSITORY, VIM } from './commands.js';
import type { Job } from './job.js';
import type { Play } from './play.js';

/**
 * Edits a file in vim, saves it and quits. The pieces that vim draws are spread over the answers differently each time.
 * So the transcript has the screen as it is before the keys.
 */
async function edit(play: Play, command: object, shows: RegExp, keys: string): Promise<void> {
  const started = await play.unseen('exec_command', { ...command, tty: true, yield_time_ms: 0 });
  const session = started.structured['session'];
  await play.untilScreen(session, shows);
  await play.call('read_output', { session, mode: 'screen' });
  const ended = await play.unseen('write_stdin', {
    session,
    chars: `${keys}\u001b:wq\r`,
    yield_time_ms: 55_000,
  });
  assert.equal(ended.line('State'), 'exited with code 0');
}

/** Jobs with programs that talk: consoles, editors, pagers, prompts. */
export const programs: readonly Job[] = [
  {
    name: '04-python',
    title: 'python3 -i',
    run: async (play) => {
      const session = await play.start(
        {
          argv: ['python3', '-q', '-i', '-c', 'import sys; sys.ps1 = "py> "'],
          tty: true,
          env: { PYTHON_BASIC_REPL: '1' },
        },
        'py> $',
      );
      await play.type(session, { chars: 'sum(range(10))\r' }, '^py> $');
      const build = 'import time; time.sleep(0.5); print("BUILD" + "_DONE")\r';
      await play.type(session, { chars: build }, '^BUILD_DONE$', '^py> $');
      await play.type(session, { chars: build }, '^BUILD_DONE$', '^py> $');
      await play.call('write_stdin', { session, close: true, yield_time_ms: 55_000 });
    },
  },
  {
    name: '05-node',
    title: 'The console of Node',
    run: async (play) => {
      // On a terminal that can do more, Node places the cursor after its prompt with a separate write. An answer may
      // end before that.
      const session = await play.start(
        { argv: ['node', '-i'], tty: true, env: { NODE_REPL_HISTORY: '', TERM: 'dumb' } },
        '^> $',
      );
      await play.type(session, { chars: '[1, 2, 3].map((n) => n * n)\r' }, '^> $');
      await play.type(session, { chars: 'throw new Error("no")\r' }, '^> $');
      await play.call('write_stdin', { session, chars: '.exit\r', yield_time_ms: 55_000 });
    },
  },
  {
    name: '06-vim',
    title: 'vim: open, type, save, quit',
    run: async (play) => {
      fs.writeFileSync(path.join(play.folder, 'notes.txt'), 'note 1\nnote 2\n');
      await edit(
        play,
        { argv: [...VIM, 'notes.txt'] },
        /^note 1\nnote 2\n~[^]*notes\.txt" 2L/,
        'Onew first line',
      );
      await play.run({ cmd: 'cat notes.txt' });
    },
  },
  {
    name: '07-git-log',
    title: 'git log, whose pager would wait',
    run: async (play) => {
      await play.run({ cmd: `${REPOSITORY} && git log`, tty: true });
      const session = await play.start(
        { cmd: 'cd repo && git log | less -X', tty: true },
        'Add three',
        '^\\(END\\)',
      );
      await play.call('write_stdin', { session, chars: 'q', yield_time_ms: 55_000 });
    },
  },
  {
    name: '08-git-rebase',
    title: 'git rebase -i in an editor',
    run: async (play) => {
      play.drop(/^#.*\n/gm);
      await play.run({ cmd: REPOSITORY });
      const cmd = `cd repo && GIT_EDITOR="${VIM.join(' ')}" ${GIT} rebase -i HEAD~2`;
      await edit(play, { cmd }, /^pick [^]*rebase-todo" \d+L/, 'jcwfixup');
      await play.run({ cmd: 'cd repo && git log --format=%s' });
    },
  },
  {
    name: '20-top',
    title: 'top, as a screen',
    run: async (play) => {
      // Its output is different each time.
      const started = await play.unseen('exec_command', { cmd: 'top -d 60', tty: true, yield_time_ms: 0 });
      const session = started.structured['session'];
      await play.untilScreen(session, /^top - [^]*\n +PID USER/);
      const ended = await play.unseen('write_stdin', { session, chars: 'q', yield_time_ms: 55_000 });
      assert.equal(ended.line('State'), 'exited with code 0');
      await play.call('list_sessions', {});
    },
  },
];

/** Jobs in which a program waits for what only a person knows. */
export const secrets: readonly Job[] = [
  {
    name: '09-password',
    title: 'A question for a password',
    run: async (play) => {
      const reply = await play.call('exec_command', {
        cmd: 'read -s -p "Password: " secret; echo; echo "${#secret} characters"',
        tty: true,
        yield_time_ms: 55_000,
      });
      const session = reply.structured['session'];
      await play.call('write_stdin', { session, chars: 'hunter2\r' });
      await play.call('write_stdin', { session, chars: '\u0003', yield_time_ms: 55_000 });
    },
  },
  {
    name: '10-ssh-keygen',
    title: 'ssh-keygen, with a key that is there',
    run: async (play) => {
      fs.writeFileSync(path.join(play.folder, 'key'), '');
      const begun = await play.run({ cmd: 'ssh-keygen -q -t ed25519 -C agent -f key', tty: true });
      const { session } = begun.structured;
      const asked = await play.call('write_stdin', { session, chars: 'y\r', yield_time_ms: 55_000 });
      if (asked.line('State') === 'waiting for a secret') {
        await play.call('write_stdin', { session, keys: ['Enter'], yield_time_ms: 55_000 });
        await play.call('write_stdin', { session, keys: ['Enter'], yield_time_ms: 55_000 });
      }
    },
  },
];
