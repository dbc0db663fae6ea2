import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { cli, runLine } from './cliFixture.js';
import { tmuxFor } from './tmux.js';

/** Keys in the words of tmux, and a text that is on the screen afterwards. */
type Step = readonly [keys: readonly string[], shows: string];

const PROGRAMS: Readonly<
  Record<string, { readonly argv: readonly string[]; readonly steps: readonly Step[] }>
> = {
  'vim': {
    argv: ['vim', '-u', 'NONE', '-i', 'NONE', '-n', 'lines.txt'],
    steps: [
      [[], 'line 1'],
      [['o', 'something new', 'Escape'], 'something new'],
      [[':set number', 'Enter', 'G'], 'line 500'],
      [[':syntax on', 'Enter', ':split', 'Enter', '1G'], 'line 10'],
    ],
  },
  'less': {
    argv: ['less', 'lines.txt'],
    steps: [
      [[], 'line 1'],
      [['Space', 'Space'], 'line 60'],
      [['/line 25', 'Enter'], 'line 250'],
      [['G'], 'line 500'],
    ],
  },
  'the REPL of Python': {
    argv: ['python3', '-q'],
    steps: [
      [[], '>>>'],
      [['6*7', 'Enter'], '42'],
      [['"a" + "b', 'Left', 'c', 'Right', '"', 'Enter'], "'acb'"],
    ],
  },
  'the REPL of Node': {
    argv: ['node'],
    steps: [
      [[], '>'],
      [['6*7', 'Enter'], '42'],
      [['"ab".pad', 'C-a', 'C-k', '6*9', 'Enter'], '54'],
    ],
  },
};

describe('exec-sessions in tmux', () => {
  const machine = useMachine();

  const { tmux, openPane, screen } = tmuxFor(machine);

  // Inside, so that tmux ends while the folder of its socket is there.
  describe('through attach', () => {
    beforeEach(() => {
      const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`);
      fs.writeFileSync(path.join(machine.folder, 'lines.txt'), lines.join(''));
      // The server lives as long as it has one.
      openPane('keeps', ['sleep', '1000']);
      tmux('set-option', '-g', 'status', 'off');
    });

    afterEach(() => tmux('kill-server'));

    it('watches a list longer than the screen in place, and clears it on Ctrl-C', async () => {
      tmux('set-option', '-g', 'remain-on-exit', 'on');
      // tmux itself does not always notice how a program has ended.
      const ended = path.join(machine.folder, 'ended');
      const line = `trap : INT; ${process.execPath} ${cli} ls --watch; echo $? >${ended}`;
      openPane('list', ['sh', '-c', line]);
      await until(
        () => screen('list'),
        (seen) => seen.startsWith('No session runs.\n'),
      );
      const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
      const start = (processId: string) =>
        backend.start({
          processId,
          argv: ['sleep', '1000'],
          cwd: machine.folder,
          env: machine.env,
          tty: false,
          owned: true,
          metadata: { title: processId },
        });
      await start('first');
      await until(
        () => screen('list'),
        (seen) => /running .* first/.test(seen),
      );
      // The time since its start goes on, by seconds while it is young.
      const young = screen('list');
      await until(
        () => screen('list'),
        (seen) => seen !== young,
      );
      const more = Array.from({ length: 30 }, (_, index) => `number-${index + 1}`);
      await Promise.all(more.map(start));
      // The heading, 21 of 31 sessions, and this.
      await until(
        () => screen('list'),
        (seen) => seen.includes('\n… and 10 more.\n'),
      );
      for (const [processId, below] of [
        ['last', 11],
        ['very-last', 12],
      ] as const) {
        await start(processId);
        await until(
          () => screen('list'),
          (seen) => seen.includes(`\n… and ${below} more.\n`),
        );
      }
      const facts = () =>
        tmux('display', '-p', '-t', 'list', '#{history_size} #{alternate_on} #{cursor_flag}');
      assert.equal(facts(), '0 0 1\n');
      tmux('send-keys', '-t', 'list', 'C-c');
      await until(() => fs.existsSync(ended) && fs.readFileSync(ended, 'utf8'), '130\n');
      assert.match(screen('list'), /first/);
    });

    for (const [name, { argv, steps }] of Object.entries(PROGRAMS)) {
      it(`shows ${name} as it is without`, async () => {
        const words = argv.join(' ');
        const line = `LANG=C.UTF-8 NODE_REPL_HISTORY= exec-sessions run --detach --title it -- ${words}`;
        const { stderr, code } = await runLine(machine, line);
        assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
        openPane('direct', argv);
        openPane('attached', [process.execPath, cli, 'attach', 'it']);
        for (const [keys, shows] of steps) {
          for (const pane of keys.length > 0 ? ['direct', 'attached'] : []) {
            tmux('send-keys', '-t', pane, ...keys);
          }
          let screens: readonly string[] = [];
          await until(() => {
            screens = [screen('direct'), screen('attached')];
            return screens.every((text) => text.includes(shows)) && screens[0] === screens[1];
          }).catch((error: unknown) => {
            assert.equal(screens[1], screens[0], `after ${keys.join(' ')}`);
            throw error;
          });
        }
      });
    }
  });
});
