import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { runLine, useTerminals } from './cliFixture.js';

/** A full-screen program's modes: mouse, application keys, bracketed paste, a hidden cursor. */
const MODES = ['?1049h', '?25l', '?1h', '?1000h', '?1006h', '?2004h'];
/** The same, for printf. */
const SET = MODES.map((mode) => `\\033[${mode}`).join('');
/** Modes of the normal screen. xterm.js does not know all of them. */
const OTHERS = ['\\033[5;20r', '\\033[?6h', '\\033[?7l', '\\033[4h', '\\033[>4;2m', '\\033[>1u', '\\033[5 q'];
const DETACH = '\u001c\u001c';
/** Strings and sequences that act outside of the terminal. */
const ACTING = [
  '\\a',
  '\\033]9;job done\\a',
  '\\033]777;notify;T;B\\033\\\\',
  '\\033]1337;RequestAttention=yes\\a',
  '\\033]1337;StealFocus\\a',
  '\\033]52;c;aGVsbG8=\\a',
  '\\033]99;;hi\\033\\\\',
  '\\033[8;50;100t',
];

describe('exec-sessions with earlier output', () => {
  const machine = useMachine();
  const open = useTerminals(machine);

  /** Starts a session with a terminal of 80 columns that runs a script of sh, and waits until that has printed a word. */
  async function start(script: string, word: string): Promise<void> {
    fs.writeFileSync(path.join(machine.folder, 'program.sh'), script);
    const { stderr, code } = await runLine(
      machine,
      `exec-sessions run --detach --title it -- sh program.sh && exec-sessions wait it --for '/${word}/'`,
    );
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  }

  for (const [name, lines] of [
    ['is there', 10],
    ['is evicted', 300_000],
  ] as const) {
    it(`attaches with the modes of the program where the output that set them ${name}`, async () => {
      await start(`printf '${SET}'; seq ${lines}; echo BODY; exec sleep 1000`, 'BODY');
      const attached = await open(['attach', 'it']);
      await attached.shows('BODY');
      for (const mode of MODES) {
        assert.ok(attached.text.includes(`\u001b[${mode}`), mode);
      }
      await attached.type(DETACH);
      await attached.ended();
    });
  }

  it('shows each line of a flood once, in order, and names what is missing', async () => {
    // A query makes no text of its own, and is there often.
    const flood = 'i=0; while :; do echo "line $i ."; printf \'\\033[c\'; i=$((i+1)); done';
    await start(`stty -echo; ${flood}`, 'line 2000');
    const attached = await open(['attach', '--read-only', 'it']);
    await until(() => attached.text.length > 400_000);
    await attached.type(DETACH);
    await attached.ended();
    // Whatever the busy machine has let go is named in its place.
    const shown = [...attached.text.matchAll(/line (\d+) \.|no longer kept/g)].map(([, number]) => number);
    assert.ok(shown.filter((number) => number !== undefined).length > 1_000);
    const wrong = shown.filter((number, at) => {
      const before = shown[at - 1];
      return number !== undefined && before !== undefined && Number(number) !== Number(before) + 1;
    });
    assert.deepEqual(wrong, []);
  });

  it('has a program drawn whole whose first output is evicted', async () => {
    const program = [
      'import signal, sys, time',
      'def draw(*_):',
      "  sys.stdout.write(''.join('\\x1b[%d;1Hrow %d' % (row, row) for row in range(1, 25))); sys.stdout.flush()",
      'signal.signal(signal.SIGWINCH, draw)',
      "sys.stdout.write('\\x1b[?1049h\\x1b[?25l'); draw()",
      "for at in range(90000): sys.stdout.write('\\x1b[5;40H%d     ' % at)",
      "print('BODY', flush=True)",
      'while True: time.sleep(1)',
    ];
    fs.writeFileSync(path.join(machine.folder, 'program.py'), program.join('\n'));
    await start('exec python3 program.py', 'BODY');
    const attached = await open(['attach', 'it']);
    await until(
      () => attached.screen(),
      (screen) =>
        Array.from({ length: 24 }, (_, row) => `"row ${row + 1}`).every((row) => screen.includes(row)),
    );
    await attached.type(DETACH);
    await attached.ended();
  });

  it('does nothing a second time', async () => {
    await start(`printf '${ACTING.join('')}READY'; exec sleep 1000`, 'READY');
    const attached = await open(['attach', 'it']);
    await attached.shows('READY');
    assert.doesNotMatch(attached.text, /\u0007|\u001b\]|\u001b\[8;/);
    await attached.type(DETACH);
    await attached.ended();
  });

  it('breaks its lines for another width', async () => {
    const bar = `for i in 1 2 3; do printf '\\r\\033[KA %-70s|\\n\\033[KB %-70s|\\n\\033[2A' $i $i; done`;
    await start(`${bar}; printf '\\n\\nfinished\\n'; exec sleep 1000`, 'finished');
    const attached = await open(['attach', 'it'], { columns: 60, rows: 24 });
    await attached.shows('finished');
    const rows = attached.text.split('\r\n').filter((row) => /^(?:\r\u001b\[J)?A /.test(row));
    assert.equal(rows.length, 1, attached.text);
    await attached.type(DETACH);
    await attached.ended();
  });

  it('leaves a terminal like a fresh one', async () => {
    const fresh = await open(['--version']);
    await fresh.ended();
    const modesOf = (screen: string) => {
      const [type, , , modes] = JSON.parse(screen) as [string, number, number, object];
      return { type, modes };
    };
    await start(`printf '${OTHERS.join('')}${SET}BODY'; exec sleep 1000`, 'BODY');
    const attached = await open(['attach', 'it']);
    await attached.shows('BODY');
    await attached.type(DETACH);
    await attached.ended();
    assert.deepEqual(modesOf(attached.screen()), modesOf(fresh.screen()));
    for (const back of ['\u001b[>4m', '\u001b[<8u', '\u001b[0 q', '\u001b[?1006l']) {
      assert.ok(attached.text.includes(back), JSON.stringify(back));
    }
  });

  it('lets logs write the text alone, with its colours', async () => {
    await start(
      `printf 'one\\n\\033[6n\\033[c${SET}\\033[31mred\\033[2;2H\\033]0;title\\aTUI\\n'; exec sleep 1000`,
      'TUI',
    );
    const logs = await open(['logs', 'it']);
    await logs.ended();
    assert.equal(logs.text, 'one\r\r\n\u001b[31mredTUI\r\r\n\u001b[0m');
    const followed = await open(['logs', '-f', 'it']);
    await followed.shows('TUI');
    await followed.type('\u0003');
    await until(() => followed.process.info().exit !== undefined);
    assert.ok(followed.text.startsWith(logs.text));
  });
});
