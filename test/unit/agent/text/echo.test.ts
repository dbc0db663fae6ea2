import assert from 'node:assert/strict';

import fc from 'fast-check';

import { Pattern } from '../../../../src/terminal/pattern.js';
import { Echo } from '../../../../src/agent/text/echo.js';
import { LineMatcher, SinceInput, START, type TypedText } from '../../../../src/agent/text/index.js';
import { cutAt, outputOf, places } from './output.js';

const EARLY = { late: false, growing: false, atEditor: false };
const LATE = { ...EARLY, late: true };
const GROWING = { ...EARLY, growing: true };
const LATE_AT_EDITOR = { ...LATE, atEditor: true };

const word = fc.stringMatching(/^[a-z;"()=-][a-z0-9 ;"()=-]{0,30}[a-z0-9;"()=-]$/);
const commands = fc.array(word, { minLength: 1, maxLength: 5 });
const prompt = fc.constantFrom('bash-5.2# ', 'user@host:~/dir$ ', '>>> ', '(gdb) ', 'In [1]: ', 'Name? ', '');

function typing(text: string, at = ''): Echo {
  const echo = new Echo();
  echo.type(text, { prompt: at, goesOn: false });
  return echo;
}

/** The lines that are taken for echo. */
const taken = (echo: Echo, lines: readonly string[], about = EARLY) =>
  lines.map((line) => echo.take(line, about));

describe('The echo of what was typed', () => {
  it('is each line at the prompt of a shell, and nothing that the commands print @property', () => {
    fc.assert(
      fc.property(
        commands,
        fc.array(fc.stringMatching(/^[A-Z0-9 ]+$/)),
        prompt,
        fc.boolean(),
        (typed, printed, at, late) => {
          fc.pre(at !== '');
          const echo = typing(`${typed.join('\n')}\n`, at);
          for (const line of typed) {
            assert.deepEqual(taken(echo, [`${at}${line}`], late ? LATE : EARLY), [true]);
            assert.ok(!taken(echo, printed).includes(true));
          }
        },
      ),
    );
  });

  it('comes once where the terminal echoes: what a program then prints of it is output @property', () => {
    fc.assert(
      fc.property(commands, prompt, fc.constantFrom('\n', '\r'), (typed, at, end) => {
        const echo = typing(typed.map((line) => line + end).join(''), at);
        const [first = '', ...rest] = typed;
        assert.ok(!taken(echo, [at + first, ...rest]).includes(false));
        assert.ok(!taken(echo, typed).includes(true));
      }),
    );
  });

  it('is one of the next fifty typed lines, after a prompt of at most 1,000 characters', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index};`);
    const typed = () => typing(`${lines.join('\n')}\n`, '$ ');
    assert.deepEqual(taken(typed(), ['$ line 49;']), [true]);
    assert.deepEqual(taken(typed(), ['$ line 50;']), [false]);
    assert.deepEqual(taken(typed(), [`${'x'.repeat(998)}$ line 0;`]), [true]);
    assert.deepEqual(taken(typed(), [`${'x'.repeat(999)}$ line 0;`]), [false]);
  });

  it('counts from its first character on, however much of it has come @property', () => {
    fc.assert(
      fc.property(word, prompt, fc.nat(), (typed, at, cut) => {
        const echo = typing(`${typed}\n`, at);
        const piece = typed.slice(0, 1 + (cut % typed.length));
        fc.pre(piece.trim() !== '');
        assert.equal(echo.copy().take(at + piece, GROWING), true);
        assert.equal(echo.take(at + typed, EARLY), true);
      }),
    );
  });

  it('is one line for an input that is typed in pieces @property', () => {
    fc.assert(
      fc.property(word, prompt, fc.nat(), fc.boolean(), (typed, at, cut, echoed) => {
        const piece = typed.slice(0, 1 + (cut % (typed.length - 1)));
        const echo = typing(piece, at);
        echo.type(`${typed.slice(piece.length)}\n`, { prompt: echoed ? at + piece : at, goesOn: true });
        assert.deepEqual(taken(echo, [at + typed, typed]), [true, false]);
      }),
    );
  });

  it('is one line for an input that is typed key by key, and none of its pieces is echo afterwards', () => {
    for (const goesOn of [true, false]) {
      const echo = typing('m', '$ ');
      for (const [index, key] of ['a', 'k', 'e', '\r'].entries()) {
        echo.type(key, { prompt: `$ ${'make'.slice(0, index + 1)}`, goesOn });
      }
      assert.deepEqual(taken(echo, ['$ make', 'make', 'ma', 'm']), [true, false, false, false]);
    }
  });

  it('that a shell repeats at its prompt is echo there too, and late as well if the prompt is known', () => {
    const unknown = typing('make\n');
    assert.deepEqual(taken(unknown, ['make', '$ make', '$ make']), [true, true, false]);
    const echo = typing('sleep 9\n', '1 $ ');
    assert.deepEqual(taken(echo, ['1 $ sleep 9']), [true]);
    echo.type('make\n', { prompt: '', goesOn: false });
    assert.deepEqual(taken(echo, ['make']), [true]);
    assert.deepEqual(taken(echo, ['done', 'make', '2 $ make'], LATE), [false, false, true]);
  });

  it('is not found after other text, or late, by its text alone', () => {
    assert.deepEqual(taken(typing('done\n'), ['thanks', 'done']), [false, false]);
    assert.deepEqual(taken(typing('done\n'), ['done'], LATE), [false]);
    assert.deepEqual(taken(typing('done\n'), ['$ done'], LATE), [false]);
    assert.deepEqual(taken(typing('done\n'), ['got done']), [false]);
  });

  it('is known by its prompt, also if that names another directory or follows a line of echo', () => {
    const moved = typing('cd /usr && make\necho DONE\n', 'me@host:~# ');
    assert.deepEqual(taken(moved, ['me@host:~# cd /usr && make', 'all built']), [true, false]);
    assert.deepEqual(taken(moved, ['me@host:/usr# echo DONE', 'DONE'], LATE), [true, false]);
    const ahead = typing('cat <<EOF\nDONE\nEOF\n', '$ ');
    assert.deepEqual(taken(ahead, ['cat <<EOF', 'DONE', 'EOF', 'other']), [true, true, true, false]);
    assert.deepEqual(taken(ahead, ['$ cat <<EOF', '> DONE', '> EOF', 'DONE'], LATE), [
      true,
      true,
      true,
      false,
    ]);
    assert.deepEqual(taken(typing('DONE\n', '$ '), ['other', '> DONE'], LATE), [false, false]);
  });

  it('is any text after the prompt if keys have made it', () => {
    const up = typing('\u001b[A\r', '1 $ ');
    assert.equal(up.copy().take('1 $ make; ec', GROWING), true);
    assert.deepEqual(taken(up, ['1 $ make; echo DONE', 'DONE', '2 $ ', '2 $ DONE']), [
      true,
      false,
      false,
      false,
    ]);
    const inTwo = typing('\u001b[A', '$ ');
    inTwo.type('\r', { prompt: '$ ', goesOn: true });
    assert.deepEqual(taken(inTwo, ['$ make; echo DONE', 'DONE']), [true, false]);
    const completed = typing('ec\tDONE\r', '$ ');
    assert.deepEqual(taken(completed, ['$ echo DONE', 'DONE']), [true, false]);
    const running = typing('sleep 9\n', '$ ');
    assert.deepEqual(taken(running, ['$ sleep 9']), [true]);
    running.type('\u0003make\r', { prompt: '', goesOn: false });
    assert.equal(running.copy().take('^Cma', GROWING), true);
    assert.deepEqual(taken(running, ['^Cmake', '$ make', 'make']), [true, true, false]);
    const interrupted = typing('\u0003make\r', '$ ');
    assert.deepEqual(taken(interrupted, ['$ half^C', '$ make', 'make']), [true, true, false]);
  });

  it('is known where a line editor shows it, whatever its prompt looks like', () => {
    const ahead = typing('make; echo DONE\n');
    assert.deepEqual(taken(ahead, ['make; echo DONE', 'Welcome']), [true, false]);
    assert.equal(ahead.copy().take('nexus ~ make; ec', { ...LATE_AT_EDITOR, growing: true }), true);
    assert.deepEqual(taken(ahead.copy(), ['nexus ~ make; echo DONE', 'DONE'], LATE_AT_EDITOR), [true, false]);
    assert.deepEqual(taken(ahead, ['nexus ~ make; echo DONE'], LATE), [false]);
    // Programs in the background write there too: a line that stands alone may be their output.
    assert.deepEqual(taken(typing('DONE\n'), ['other', 'DONE'], LATE_AT_EDITOR), [false, false]);
  });

  it('is recognised when a REPL shows input again at a late prompt', () => {
    const typed = 'def f():\n    print("DONE")\n\nf()\n';
    const prompts = [
      { first: '>>> ', more: '... ' },
      { first: '> ', more: '... ' },
      { first: 'irb(main):001> ', more: 'irb(main):002> ' },
    ];
    for (const { first, more } of prompts) {
      const ahead = typing(typed);
      assert.deepEqual(taken(ahead, ['def f():', '    print("DONE")', 'f()']), [true, true, true]);
      assert.deepEqual(taken(ahead, ['Welcome', 'DONE'], LATE), [false, false]);
      assert.equal(ahead.copy().take(`${first}def f`, { ...LATE, growing: true }), true);
      const shown = [`${first}def f():`, `${more}    print("DONE")`, more, `${first}f()`, 'DONE'];
      assert.deepEqual(taken(ahead, shown, LATE), [true, true, false, true, false]);
      assert.deepEqual(taken(ahead, [`${first}f()`], LATE), [false], 'it is shown once more, and not twice');
    }
    for (const line of ['<b>DONE', '<b> DONE', 'got > DONE', '50% DONE', '>DONE']) {
      const ahead = typing('DONE\n');
      assert.deepEqual(taken(ahead, ['DONE', 'other']), [true, false]);
      assert.deepEqual(taken(ahead, [line], LATE), [false], line);
    }
    assert.deepEqual(taken(typing('DONE\n'), ['other', '> DONE'], LATE), [false, false], 'not shown before');
  });

  it('does not mind the blank with which readline fills a row before a wide character', () => {
    const echo = typing('echo 你好世界\n', '$ ');
    assert.deepEqual(taken(echo, ['$ echo 你好 世界', '你好世界']), [true, false]);
  });

  it('has no keys, and does not mind tabs and blanks at the end', () => {
    const echo = typing('\u001b[A\u001b[200~a\tb \u001b[201~\r', '$ ');
    assert.deepEqual(taken(echo, ['$ a       b']), [true]);
    assert.deepEqual(taken(typing('\u0003\u001bOB\n', '$ '), ['$', '', '^C']), [false, false, false]);
  });
});

describe('A matcher of lines since an input', () => {
  const before = '\u001b[?2004h$ make\r\n\u001b[?2004l\rBUILD_DONE\r\n\u001b[?2004h$ ';
  const echoed = 'sleep 3; echo BUILD_DONE\r\n\u001b[?2004l\r';
  const printed = 'BUILD_DONE\r\n\u001b[?2004h$ ';

  async function search(pattern: string, chunks: readonly (string | Uint8Array)[], often = true, more = {}) {
    const input: TypedText = {
      number: 1,
      afterSeq: 1,
      text: 'sleep 3; echo BUILD_DONE\n',
      goesOn: false,
      echoThrough: undefined,
      ...more,
    };
    const matcher = new LineMatcher({
      pattern: new Pattern(pattern, false),
      tty: true,
      columns: 80,
      from: START,
      since: new SinceInput(1, () => [input]),
      shownThrough: { afterSeq: 1, skipBytes: 0 },
    });
    for (const event of outputOf([before, ...chunks])) {
      matcher.push(event);
      if (often) {
        await matcher.drained();
      }
    }
    const match = await matcher.drained();
    matcher.dispose();
    return { match, echo: matcher.echo };
  }

  it('finds neither the line of an earlier build nor the echo, but the new line, in whatever chunks they come @property', async () => {
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (cuts, often) => {
        const soFar = cutAt(Buffer.from(echoed), cuts);
        assert.equal((await search('BUILD_DONE', soFar, often)).match, undefined);
        assert.equal((await search('BUILD_DONE', soFar, often)).echo?.line, '$ sleep 3; echo BUILD_DONE');
        const { match } = await search('BUILD_DONE', cutAt(Buffer.from(echoed + printed), cuts), often);
        assert.equal(match?.line, 'BUILD_DONE');
      }),
    );
  });

  it('tells them apart where the program writes the same lines once more', async () => {
    const again = '\u001b[A\r\u001b[JBUILD_DONE\r\n$ ';
    assert.equal((await search('BUILD_DONE', [again])).match, undefined);
    assert.equal((await search('BUILD_DONE', [again, echoed])).match, undefined);
    assert.equal((await search('^BUILD_DONE', [again, echoed, printed])).match?.line, 'BUILD_DONE');
  });

  it('does not forget the echo when its time is over, and takes what comes then for output', async () => {
    const late = { echoThrough: 2 };
    assert.equal((await search('BUILD_DONE', [echoed, 'x', 'y'], true, late)).match, undefined);
    assert.equal((await search('^y', ['x\r\n', 'y\r\n'], true, { ...late, text: 'y\n' })).match?.line, 'y');
  });
});
