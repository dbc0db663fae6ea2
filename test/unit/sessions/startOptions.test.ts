import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import { parseArgv, parseCommandInput } from '../../../src/sessions/options/commandInput.js';
import {
  forget,
  type HistoryEntry,
  remember,
  restoreHistory,
  save,
  unsave,
} from '../../../src/sessions/list/commandHistory.js';
import { parseStartOptions } from '../../../src/sessions/options/startOptions.js';

function objection(options: unknown): string {
  const parsed = parseStartOptions(options, english);
  assert.ok(!parsed.ok, 'it was taken');
  return parsed.message;
}

describe('what somebody types to start', () => {
  it('is a command line for the shell', () => {
    for (const text of ['ls -l', '  ls -l ', '[ -f x ] && echo', '[[ -n $x ]]']) {
      assert.deepEqual(parseCommandInput(text, english), {
        ok: true,
        value: { kind: 'commandLine', commandLine: text.trim() },
      });
    }
  });

  it('is an argument list if it is a JSON list', () => {
    assert.deepEqual(parseCommandInput(' ["ls", "a b"] ', english), {
      ok: true,
      value: { kind: 'argv', argv: ['ls', 'a b'] },
    });
  });

  it('is refused with the reason', () => {
    const message = (text: string): string => {
      const parsed = parseCommandInput(text, english);
      assert.ok(!parsed.ok, text);
      return parsed.message;
    };
    assert.match(message('  '), /no command/);
    assert.match(message('["ls", '), /not valid JSON: .*\["ls", "-l"\]/);
    assert.match(message('["ls", 1]'), /list of strings, but item 2 is 1/);
    assert.match(message('[]'), /names no program/);
    assert.match(message('[""]'), /names no program/);
  });

  it('is remembered, the last first and each once', () => {
    const history = ['a', 'b', 'a', 'c'].reduce(
      (before, text) => remember(before, { text, mode: 'terminal' }),
      restoreHistory([
        { text: 'old', mode: 'pipes' },
        { text: 'x', mode: 'x' },
        { text: 1, mode: 'pipes' },
        null,
        'x',
      ]),
    );
    assert.deepEqual(
      history.map(({ text }) => text),
      ['c', 'a', 'b', 'old'],
    );
    const long = Array.from({ length: 80 }, (_, index) => ({ text: `${index}`, mode: 'pipes' as const }));
    assert.equal(long.reduce(remember, restoreHistory('nonsense')).length, 50);
  });

  it('stays above what follows if it is saved, until that is taken back or it is removed', () => {
    const run = (history: readonly HistoryEntry[], ...texts: readonly string[]) =>
      texts.reduce((before, text) => remember(before, { text, mode: 'terminal' }), history);
    const textsOf = (history: readonly HistoryEntry[]) =>
      history.map(({ text, saved }) => (saved ? `${text}!` : text));
    const pipes = { text: 'a', mode: 'pipes' } as const;
    const saved = save(save(run([], 'a', 'b', 'c'), { text: 'b', mode: 'terminal' }), pipes);
    assert.deepEqual(textsOf(saved), ['b!', 'a!', 'c']);
    const later = restoreHistory(JSON.parse(JSON.stringify(run(saved, 'd', 'a'))));
    assert.deepEqual(textsOf(later), ['b!', 'a!', 'd', 'c'], 'the one that runs again stays in its place');
    assert.equal(later[1]?.mode, 'pipes', 'and runs as it was saved');
    assert.deepEqual(textsOf(save(later, pipes)), ['b!', 'a!', 'd', 'c']);
    assert.deepEqual(textsOf(unsave(later, { text: 'b', mode: 'terminal' })), ['a!', 'b', 'd', 'c']);
    assert.deepEqual(textsOf(forget(later, pipes)), ['b!', 'd', 'c']);
    const long = Array.from({ length: 80 }, (_, index) => `${index}`);
    assert.equal(run(later, ...long).length, 52, 'the others are as many as before');
    assert.deepEqual(textsOf(run(later, ...long)).slice(0, 3), ['b!', 'a!', '79']);
  });
});

describe('the options of a start from outside', () => {
  it('are taken with their defaults', () => {
    assert.deepEqual(parseStartOptions({ argv: ['ls'] }, english), {
      ok: true,
      value: {
        command: { kind: 'argv', argv: ['ls'] },
        env: {},
        tty: true,
        pipeStdin: false,
        show: true,
      },
    });
    assert.deepEqual(
      parseStartOptions(
        {
          commandLine: 'make',
          cwd: 'sub',
          env: { A: 'b', C: null },
          tty: false,
          pipeStdin: true,
          separateStderr: true,
          title: ' Make ',
          show: false,
          startedBy: { kind: 'agent', name: 'Codex' },
        },
        english,
      ),
      {
        ok: true,
        value: {
          command: { kind: 'commandLine', commandLine: 'make' },
          cwd: 'sub',
          env: { A: 'b', C: null },
          tty: false,
          pipeStdin: true,
          separateStderr: true,
          title: 'Make',
          show: false,
          startedBy: { kind: 'agent', name: 'Codex' },
        },
      },
    );
  });

  it('are refused with the name of what is wrong', () => {
    assert.match(objection('ls'), /must be an object; they are "ls"/);
    assert.match(objection([]), /must be an object/);
    assert.match(objection({}), /either "argv" or "commandLine"/);
    assert.match(objection({ argv: ['a'], commandLine: 'a' }), /either "argv" or "commandLine"/);
    assert.match(objection({ argv: 'ls -l' }), /list of strings, such as .*; it is "ls -l"/);
    assert.match(objection({ argv: ['ls', undefined] }), /item 2 is undefined/);
    assert.match(objection({ commandLine: 7 }), /"commandLine" must be a string .*; it is 7/);
    assert.match(objection({ argv: ['ls'], cwd: 7 }), /"cwd" must be a string; it is 7/);
    assert.match(objection({ argv: ['ls'], tty: 'yes' }), /"tty" must be true or false; it is "yes"/);
    assert.match(objection({ argv: ['ls'], startedBy: 'me' }), /"startedBy" must be .*; it is "me"/);
    assert.match(objection({ argv: ['ls'], env: ['A=b'] }), /"env" must be an object/);
  });

  it('takes the names of environment variables as they are', () => {
    const env = (variables: unknown) => objection({ argv: ['ls'], env: variables });
    assert.match(env({ '': 'x' }), /has an empty name/);
    assert.match(env({ 'A=B': 'x' }), /"A=B" must have a name without "="/);
    assert.match(env({ 'A*': null }), /"A\*" cannot be removed/);
    const taken = parseStartOptions({ argv: ['ls'], env: { PORT: 3000 } }, english);
    assert.deepEqual(taken.ok && taken.value.env, { PORT: '3000' });
    assert.ok(parseStartOptions({ argv: ['ls'], env: { 'A*': 'x' } }, english).ok);
  });

  it('can ask for a sandbox, and not for one that is misunderstood', () => {
    const sandboxOf = (sandbox: unknown) => {
      const parsed = parseStartOptions({ argv: ['ls'], sandbox }, english);
      return parsed.ok ? parsed.value.sandbox : parsed.message;
    };
    assert.deepEqual(sandboxOf(true), { write: [], network: false });
    assert.deepEqual(sandboxOf({ write: ['../api'], network: true }), { write: ['../api'], network: true });
    assert.equal(sandboxOf(false), undefined);
    for (const wrong of [
      'yes',
      null,
      1,
      { write: 'api' },
      { write: [''] },
      { network: 1 },
      { read: [] },
      [],
    ]) {
      assert.match(
        objection({ argv: ['ls'], sandbox: wrong }),
        /^"sandbox" must be true, or \{ write: folders/,
      );
    }
  });

  it('never shows the value of an environment variable', () => {
    const message = objection({ argv: ['ls'], env: { PASSWORD: { secret: 'hunter2' } } });
    assert.match(message, /"PASSWORD" must be a text/);
    assert.ok(!message.includes('hunter2'));
  });

  it('can be anything without harm', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    for (const value of [undefined, null, 0, Symbol('x'), () => 0, 10n, { argv: [Symbol('x')] }]) {
      assert.equal(parseStartOptions(value, english).ok, false);
    }
    assert.equal(parseArgv(circular, english).ok, false);
  });

  it('may name another environment', () => {
    const parsed = parseStartOptions({ argv: ['x'], environment: 'build' }, english);
    assert.ok(parsed.ok);
    assert.equal(parsed.value.environment, 'build');
    assert.match(objection({ argv: ['x'], environment: 7 }), /"environment" must be a string; it is 7/);
  });
});
