import assert from 'node:assert/strict';
import os from 'node:os';

import * as vscode from 'vscode';

import {
  STALL_MS,
  systemClock,
  type Clock,
  type Disposable,
  type Subscription,
} from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { FIRST_ANSWER_MS, WINDOW_CHARACTERS } from '../../src/terminal/emulatorLink.js';
import { SessionList } from '../../src/sessions/list/sessionList.js';
import type { Session } from '../../src/sessions/list/session.js';
import { Pacer, SLICE_BYTES } from '../../src/terminal/pacedWriter.js';
import { Viewers } from '../../src/sessions/viewer/viewers.js';
import { SessionPseudoterminal } from '../../src/vscode/terminals/sessionPseudoterminal.js';
import { until } from '../support/until.js';
import { recordInput } from '../support/recordInput.js';

const QUESTION = /\u001b\[\?(\d{10})\$p/g;
const ANSWER = /\u001b\[\?(\d{10});0\$y/g;

/** A clock whose timers of the given delays never fire. */
function patient(...delays: readonly number[]): Clock {
  return {
    now: () => systemClock.now(),
    wallTime: () => systemClock.wallTime(),
    after: (delayMs, run) =>
      delays.includes(delayMs) ? { dispose: () => undefined } : systemClock.after(delayMs, run),
  };
}

/**
 * A tap between VS Code and one of our terminals. It counts the characters that pass, and can hold back VS Code's
 * answers.
 */
class Tap implements vscode.Pseudoterminal {
  readonly onDidWrite: vscode.Event<string>;
  readonly #terminal: SessionPseudoterminal;
  /** The positions of our questions in the output, in characters, by the numbers of the questions. */
  readonly #questions = new Map<string, number>();
  #keptBack: string[] | undefined;
  /** The number of characters that were passed to VS Code, and how many of them it has parsed for certain. */
  given = 0;
  parsed = 0;
  most = 0;
  /** The last characters that were passed to VS Code. */
  tail = '';

  constructor(terminal: SessionPseudoterminal) {
    this.#terminal = terminal;
    const written = new vscode.EventEmitter<string>();
    this.onDidWrite = written.event;
    terminal.onDidWrite((text) => {
      this.#note(text);
      written.fire(text);
    });
  }

  get unparsed(): number {
    return this.given - this.parsed;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.#terminal.open(dimensions);
  }

  close(): void {
    this.#terminal.close();
  }

  handleInput(data: string): void {
    if (this.#keptBack !== undefined) {
      this.#keptBack.push(data);
      return;
    }
    for (const [, number = ''] of data.matchAll(ANSWER)) {
      this.parsed = this.#questions.get(number) ?? this.parsed;
    }
    this.#terminal.handleInput(data);
  }

  keepAnswersBack(): void {
    this.#keptBack = [];
  }

  letAnswersThrough(): void {
    const inputs = this.#keptBack ?? [];
    this.#keptBack = undefined;
    for (const input of inputs) {
      this.handleInput(input);
    }
  }

  #note(text: string): void {
    let from = 0;
    for (const question of text.matchAll(QUESTION)) {
      this.given += question.index - from;
      from = question.index + question[0].length;
      this.#questions.set(question[1] ?? '', this.given);
    }
    this.given += text.length - from;
    this.most = Math.max(this.most, this.unparsed);
    this.tail = (this.tail + text).slice(-1000);
  }
}

/** VS Code gives extensions no flow control. It is built here on the answers of VS Code's emulator. */
describe('the flow of output into a terminal of VS Code', () => {
  let backend: LocalBackend;
  let list: SessionList;
  const disposables: Disposable[] = [];

  beforeEach(() => {
    // No time-out passes here: a process is held back, and VS Code may be late, for as long as the test wants.
    backend = new LocalBackend({ clock: patient(STALL_MS) });
    list = new SessionList();
  });

  afterEach(async () => {
    await backend.shutdown();
    disposables.splice(0).forEach((disposable) => disposable.dispose());
    list.dispose();
  });

  const start = (commandLine: string): Promise<Session> =>
    list.start(
      { id: 'local', label: 'Local', backend },
      {
        argv: ['bash', '--norc', '--noprofile', '-c', commandLine],
        cwd: os.tmpdir(),
        env: { TERM: 'xterm-256color', HOME: os.tmpdir() },
        tty: true,
        origin: { kind: 'user' },
      },
    );

  /** Shows a session; `reader` is the subscription that its terminal reads it with, once the terminal is open. */
  const show = (session: Session): { tap: Tap; readonly reader: Subscription | undefined } => {
    let reader: Subscription | undefined;
    const subscribe = session.process.subscribe.bind(session.process);
    session.process.subscribe = (options, listener) => (reader = subscribe(options, listener));
    const pseudoterminal = new SessionPseudoterminal({
      initialName: 'flood',
      session,
      fresh: true,
      focused: true,
      viewers: new Viewers({
        resize: () => undefined,
        isElsewhere: () => false,
        tell: () => undefined,
        redraw: () => undefined,
      }),
      pacer: new Pacer(systemClock),
      clock: patient(FIRST_ANSWER_MS),
      l10n: vscode.l10n,
      runAgain: (old) => list.runAgain(old),
      explainFixedSize: () => false,
      nameChanged: () => undefined,
      sizeChanged: () => undefined,
      sessionChanged: () => undefined,
    });
    const tap = new Tap(pseudoterminal);
    const terminal = vscode.window.createTerminal({ name: 'flow', pty: tap });
    disposables.push(terminal, pseudoterminal);
    terminal.show();
    return {
      tap,
      get reader() {
        return reader;
      },
    };
  };

  it('never has more on its way than VS Code has to parse, and holds the process back meanwhile', async () => {
    const lines = 200_000;
    const session = await start(`read; seq -f 'line %.0f of ${'.'.repeat(40)}' ${lines}; echo the end`);
    const shown = show(session);
    const { tap } = shown;
    await until(() => shown.reader !== undefined);
    await session.process.write(new TextEncoder().encode('\r'));
    await until(() => tap.parsed > WINDOW_CHARACTERS);

    tap.keepAnswersBack();
    await until(() => shown.reader?.state, 'slow');
    // No more than this part of its output has been read.
    const bound = tap.parsed + WINDOW_CHARACTERS + SLICE_BYTES;
    assert.ok(tap.given <= bound, `${tap.given} of ${bound}`);
    const other = await start('echo something else');
    await until(() => other.state, 'closed');
    assert.equal(session.state, 'running');
    assert.ok(tap.given <= bound, `${tap.given} of ${bound}`);
    const read = session.process.info().output.bytes;
    assert.ok(read <= bound + WINDOW_CHARACTERS, `${read} bytes were read from a process that is held back`);

    tap.letAnswersThrough();
    await until(() => session.state, 'closed');
    await until(
      () => tap.tail,
      (seen) => seen.includes('the end'),
    );
    const { bytes } = session.process.info().output;
    assert.ok(bytes > 10 * 1024 * 1024);
    assert.ok(tap.given >= bytes, `${bytes - tap.given} bytes were left out`);
    assert.ok(tap.most <= WINDOW_CHARACTERS + SLICE_BYTES, `${tap.most} were on their way`);
    await until(() => tap.unparsed < WINDOW_CHARACTERS / 4);
  });

  it('leaves the answers to the program, and those alone', async () => {
    const ask = String.raw`IFS= read -rsd n -p $'\e[5n' answer; printf 'answer:%q\n' "$answer"`;
    const session = await start(`seq 1 100000; ${ask}; seq 1 100000; ${ask}; sleep 1000`);
    const input = recordInput(session);
    const { tap } = show(session);
    await until(() => input.text.split('n').length - 1, 2);
    assert.equal(input.text, '\u001b[0n\u001b[0n');
    assert.ok(tap.parsed > 1024 * 1024);
  });
});
