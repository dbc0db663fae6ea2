import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { backendKinds } from '../contract/backends.js';
import { until } from '../support/until.js';
import { bridgeKind } from './bridgeKind.js';
import { type ToolsFixture, tagOf, toolTests, untilPrinted } from './toolsSetup.js';

/** The ways in which models press Enter: after the characters of a line, or alone. */
const ENTERS: readonly (readonly [nameAndTag: string, line: (text: string) => object])[] = [
  ['"\\n"', (text) => ({ chars: `${text}\n` })],
  ['"\\r" @all', (text) => ({ chars: `${text}\r` })],
  ['keys @all', (text) => ({ chars: text, keys: ['Enter'] })],
];

const prompts = path.join(import.meta.dirname, 'prompts');
/** Programs that ask for a name in a line, and then for a colour in a menu. */
const PROGRAMS: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['@clack/prompts', [process.execPath, path.join(prompts, 'clack.mjs')]],
  ['inquirer', [process.execPath, path.join(prompts, 'inquirer.mjs')]],
  ['enquirer', [process.execPath, path.join(prompts, 'enquirer.mjs')]],
  ['curses', ['python3', path.join(prompts, 'menu.py')]],
];

/** Waits until the screen of a session has this text. */
async function untilShown({ call }: ToolsFixture, session: number, text: string): Promise<void> {
  await until(async () => {
    const { output } = await call('read_output', { session, mode: 'screen' });
    return output.includes(text);
  });
}

// The first is in this process; the other learns the terminal's modes over the wire.
for (const kind of [...backendKinds.slice(0, 1), bridgeKind]) {
  describe(`Keys of agents on the ${kind.name} backend${tagOf(kind)}`, () => {
    const test = toolTests(kind);

    for (const [program, argv] of PROGRAMS) {
      for (const [enter, line] of ENTERS) {
        test(`answer the questions of ${program}, with Enter as ${enter}`, async (fixture) => {
          const { call, start } = fixture;
          const session = await start({ argv, tty: true });
          await untilShown(fixture, session, 'Name?');
          await call('write_stdin', { session, ...line('demo') });
          await untilShown(fixture, session, 'gamma');
          await call('write_stdin', { session, keys: ['Down', 'Down', 'Up'] });
          const reply = await call('write_stdin', { session, ...line(''), yield_time_ms: 50_000 });
          assert.equal(reply.line('State'), 'exited with code 0', reply.text);
          assert.match(reply.output, /chosen: demo, beta\n$/);
        });
      }
    }

    for (const [enter, line] of ENTERS) {
      test(`give no passphrase to ssh-keygen, with Enter as ${enter}`, async (fixture) => {
        const { call, start, folder } = fixture;
        const file = path.join(folder, 'key');
        const session = await start({ argv: ['ssh-keygen', '-t', 'ed25519', '-f', file], tty: true });
        for (const prompt of ['empty for no passphrase', 'same passphrase again']) {
          await untilShown(fixture, session, prompt);
          const refused = await call('write_stdin', { session, ...line('hunter2') });
          assert.match(refused.text, /The program is waiting for a secret/);
          await call('write_stdin', { session, ...line('') });
        }
        const ended = await call('wait_for', { session, exit: true });
        assert.equal(ended.line('State'), 'exited with code 0', ended.text);
        assert.ok(existsSync(file));
        const empty = spawnSync('ssh-keygen', ['-y', '-P', '', '-f', file], { encoding: 'utf8' });
        assert.equal(empty.stdout.split(' ')[1], readFileSync(`${file}.pub`, 'utf8').split(' ')[1]);
      });
    }

    test('choose an entry of a whiptail menu that is scrolled out of sight', async (fixture) => {
      const { call, start } = fixture;
      const items = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
      const session = await start({
        argv: [
          'whiptail',
          '--menu',
          'Which?',
          '12',
          '40',
          '3',
          ...items.flatMap((item) => [item, `(${item})`]),
        ],
        tty: true,
      });
      await untilShown(fixture, session, '(three)');
      await call('write_stdin', { session, keys: ['Down', 'Down', 'Down', 'Down'] });
      await untilShown(fixture, session, '(five)');
      await call('write_stdin', { session, keys: ['PageDown', 'Up'] });
      await untilShown(fixture, session, '(seven)');
      const reply = await call('write_stdin', { session, keys: ['Enter'], yield_time_ms: 50_000 });
      assert.match(reply.output, /^six$/m);
      assert.equal(reply.line('State'), 'exited with code 0');
    });

    test('edit the line of a shell, and interrupt its command', async (fixture) => {
      const { call, start } = fixture;
      const session = await start({ argv: ['bash', '--norc', '--noprofile', '-i'], tty: true });
      await call('wait_for', { session, quiet_ms: 500 });
      await call('write_stdin', {
        session,
        chars: 'ho $((6 * 7))',
        keys: ['Home', 'e', 'c', 'End', 'Enter'],
      });
      await untilPrinted(fixture, session, '^42$');
      await call('write_stdin', { session, chars: 'echo be"g"un; sleep 1000', keys: ['Enter'] });
      await untilPrinted(fixture, session, '^begun$');
      const reply = await call('write_stdin', { session, keys: ['C-c'] });
      assert.equal(reply.line('State'), 'running');
      await call('write_stdin', { session, keys: ['Up', 'C-a', 'C-k'], chars: '' });
      const ended = await call('write_stdin', {
        session,
        chars: 'exit 3',
        keys: ['Enter'],
        yield_time_ms: 50_000,
      });
      assert.equal(ended.line('State'), 'exited with code 3', ended.text);
    });
  });
}
