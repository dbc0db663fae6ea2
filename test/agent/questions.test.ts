import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { backendKinds } from '../contract/backends.js';
import { until } from '../support/until.js';
import { tagOf, type ToolsFixture, toolTests, untilPrinted } from './toolsSetup.js';

const READ = 'read -p "Proceed? (y/n) " x; echo "got $x"';

/** Programs that ask for a line, with their questions. */
const PROGRAMS: readonly (readonly [name: string, argv: readonly string[], question: string])[] = [
  ['bash', ['bash', '-c', READ], 'Proceed? (y/n)'],
  ['Python', ['python3', '-c', 'print("got", input("Your name: "))'], 'Your name:'],
  ['git', ['git', 'add', '-p'], '(1/1) Stage this hunk [y,n,q,a,d,e,?]?'],
];

/** An agent that has not been told by the answer to the start, which may come before or after the question. */
const other = { agent: 'other' };

/** Has a change that `git add -p` asks about. */
function changedFolder(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: folder,
    });
  git('init', '-q');
  execFileSync('sh', ['-c', 'echo one > file'], { cwd: folder });
  git('add', 'file');
  git('commit', '-qm', 'one');
  execFileSync('sh', ['-c', 'echo two > file'], { cwd: folder });
}

// Only Linux tells, and the real exec-server has no words for it.
const kinds = process.platform === 'linux' ? backendKinds.filter(({ server }) => server !== 'codex') : [];
for (const kind of kinds) {
  describe(`Questions of programs on the ${kind.name} backend${tagOf(kind)}`, () => {
    const test = toolTests(kind);

    for (const [name, argv, question] of PROGRAMS) {
      test(`of ${name} end the call that would wait on, and are in every state`, async ({ call, folder }) => {
        changedFolder(folder);
        const begun = await call('exec_command', { argv, tty: true, yield_time_ms: 55_000 });
        const state = /^running; it asks: "(.*)", for \d+ s; nothing was typed$/;
        assert.equal(state.exec(begun.line('State'))?.[1], question, begun.text);
        const asks = begun.structured['asks'] as { question: string; seconds: number };
        assert.equal(asks.question, question);
        const { session } = begun.structured;
        assert.match((await call('read_output', { session })).line('State'), state);
        assert.match((await call('list_sessions', {})).text, /running; it asks: /);
        const ended = await call('write_stdin', { session, chars: 'n\n', yield_time_ms: 55_000 });
        assert.equal(ended.line('State'), 'exited with code 0', ended.text);
      });
    }

    test('end a wait once, and that for a question always', async ({ call, start }) => {
      const session = await start({ cmd: READ, tty: true });
      const first = await call('wait_for', { session, exit: true }, other);
      assert.equal(first.line('Condition'), 'none met: the program asks', first.text);
      const again = await call('wait_for', { session, exit: true, timeout_ms: 1_500 }, other);
      assert.equal(again.structured['ending'], 'time', again.text);
      const asked = await call('wait_for', { session, asks: true }, other);
      assert.equal(asked.line('Condition'), 'asks met', asked.text);
    });

    test('of fifty programs at once end a wait for all of them', async (fixture) => {
      const { call, start } = fixture;
      const sessions: number[] = [];
      for (let at = 0; at < 50; at++) {
        sessions.push(await start({ cmd: `read -p "Question ${at}? " x`, tty: true }));
      }
      const one = await call('wait_for', { sessions, exit: true }, other);
      assert.equal(one.line('Condition'), 'none met: the program asks', one.text);
      const all = await call('wait_for', { sessions, asks: true, all: true });
      assert.equal(all.line('All'), 'met in 50 of 50 sessions', all.text);
      const { text } = await call('list_sessions', {});
      for (let at = 0; at < 50; at++) {
        assert.ok(text.includes(`it asks: "Question ${at}?"`), text);
      }
    });

    test('are over when the program is killed', async ({ call, start }) => {
      const session = await start({ cmd: READ, tty: true });
      await call('wait_for', { session, asks: true });
      const waiting = call('wait_for', { session, exit: true });
      await call('send_signal', { session, signal: 'SIGKILL' });
      const reply = await waiting;
      assert.match(reply.line('State'), /^ended by SIGKILL/);
      assert.equal(reply.structured['asks'], undefined);
    });

    test('of ten megabytes without a line end are cut, and nothing is lost', async (fixture) => {
      const { call, start, backend } = fixture;
      const size = 10_000_000;
      const cmd = `head -c ${size} /dev/zero | tr '\\0' x; read -p ' Really? ' x; echo "got $x"`;
      const session = await start({ cmd, tty: true });
      const reply = await call('wait_for', { session, asks: true });
      assert.deepEqual(reply.structured['met'], ['asks'], reply.line('Condition'));
      const { question } = reply.structured['asks'] as { question: string };
      assert.match(question, /^x+ Really\?$/);
      assert.ok(question.length > 190 && question.length <= 200, question);
      const [info] = await backend.list();
      assert.equal(info?.output.bytes, size + ' Really? '.length);
      await call('write_stdin', { session, chars: 'yes\n' });
      await untilPrinted(fixture, session, 'got yes');
    });

    test('are not claimed of a program that takes a line or a pipe as it comes', async (fixture) => {
      const { call, start } = fixture;
      const line = await start({ argv: ['cat'], tty: true });
      await untilState(fixture, line, 'running; it waits for a line');
      const pipe = await start({ argv: ['cat'], stdin: true });
      await untilState(fixture, pipe, 'running; it reads its standard input');
      const refused = await call('wait_for', { session: pipe, asks: true });
      assert.match(
        refused.text,
        /^wait_for was not called: whether a program asks cannot be told without a /,
      );
    });
  });
}

/** Waits until a session has this state. */
async function untilState({ call }: ToolsFixture, session: number, state: string): Promise<void> {
  await until(async () => (await call('read_output', { session })).line('State'), state);
}
