import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import os from 'node:os';

import * as vscode from 'vscode';

import { type LaunchRequest, systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { SessionList } from '../../src/sessions/list/sessionList.js';
import type { Session } from '../../src/sessions/list/session.js';
import type { CloseAction } from '../../src/sessions/options/settings.js';
import { Messages } from '../../src/vscode/messages.js';
import { closedByPerson, ClosedTerminals } from '../../src/vscode/terminals/closeAction.js';
import { LastSize } from '../../src/vscode/terminals/lastSize.js';
import { SessionTerminals } from '../../src/vscode/terminals/sessionTerminals.js';
import { textOf, utf8 } from '../support/bytes.js';
import { until } from '../support/until.js';
import { recordInput } from '../support/recordInput.js';
import { ScriptedDialogs } from '../support/scriptedDialogs.js';
import { FakeMemento } from './fixture.js';

const SHELL = ['bash', '--norc', '--noprofile', '-i'];
/** Asks the emulator for its status and waits for the answer. All earlier output is on the screen by then. */
const ASK = String.raw`IFS= read -rsd n -p $'\e[5n' answer; printf 'answer:%q\n' "$answer"`;

describe('terminals of sessions', () => {
  let backend: LocalBackend;
  let list: SessionList;
  let terminals: SessionTerminals;
  let dialogs: ScriptedDialogs;
  let log: vscode.LogOutputChannel;
  let onClose: CloseAction;
  let shown: Session[];
  const mine = new Set<vscode.Terminal>();

  beforeEach(() => {
    backend = new LocalBackend();
    list = new SessionList();
    dialogs = new ScriptedDialogs();
    onClose = 'detach';
    log = vscode.window.createOutputChannel('Exec Sessions Test', { log: true });
    const closed = new ClosedTerminals({
      action: () => onClose,
      memento: new FakeMemento(),
      messages: new Messages(dialogs, log),
      clock: systemClock,
      log,
      show: (sessions) => shown.push(...sessions),
      stop: (sessions) => Promise.all(sessions.map((session) => session.stop())),
      reopen: (session) => terminals.open(session),
    });
    shown = [];
    terminals = new SessionTerminals({
      list,
      log,
      runAgain: (session) => list.runAgain(session),
      closed: (session) => closed.add(session),
      sizes: new LastSize(new FakeMemento()),
    });
  });

  afterEach(async () => {
    mine.forEach((terminal) => terminal.dispose());
    mine.clear();
    // A shell takes no notice of the first steps.
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    terminals.dispose();
    list.dispose();
    log.dispose();
  });

  const start = (argv: readonly string[], request: Partial<LaunchRequest> = {}): Promise<Session> =>
    list.start(
      { id: 'local', label: 'Local', backend },
      {
        argv,
        cwd: os.tmpdir(),
        env: { PS1: '$ ', TERM: 'xterm-256color', HOME: os.tmpdir(), INPUTRC: '/dev/null', HISTFILE: '' },
        tty: true,
        origin: { kind: 'user' },
        ...request,
      },
    );

  const open = (session: Session, options?: Parameters<SessionTerminals['open']>[1]): vscode.Terminal => {
    const terminal = terminals.open(session, options);
    mine.add(terminal);
    return terminal;
  };

  const output = async (session: Session) => textOf((await session.process.read()).chunks);

  const untilOutput = async (session: Session, wanted: string | RegExp): Promise<string> => {
    let text = '';
    await until(async () => {
      text = await output(session);
      return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    });
    return text;
  };

  const untilActive = (terminal: vscode.Terminal) => until(() => vscode.window.activeTerminal, terminal);

  const focus = async (terminal: vscode.Terminal) => {
    terminal.show();
    await untilActive(terminal);
  };

  /** Closes a terminal as the user does, with the trash button of the tab. */
  const closeByUser = async (terminal: vscode.Terminal) => {
    await focus(terminal);
    await vscode.commands.executeCommand('workbench.action.terminal.kill');
    await until(() => terminal.exitStatus !== undefined);
    mine.delete(terminal);
  };

  /**
   * Presses a key until it has an effect. It acts a second after all of the session has been shown, including its end,
   * and only half a second after another key.
   */
  const pressUntil = async (terminal: vscode.Terminal, key: string, done: () => boolean) => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    await until(() => {
      if (done()) {
        return true;
      }
      if (performance.now() - pressedAt > 600) {
        pressedAt = performance.now();
        terminal.sendText(key, false);
      }
      return false;
    });
  };

  /** Presses R until the terminal shows the new session. */
  const pressR = async (terminal: vscode.Terminal, session: Session): Promise<Session> => {
    await until(() => session.state, 'closed');
    await pressUntil(terminal, 'r', () => list.sessions.some(({ previousId }) => previousId === session.id));
    await until(() => terminals.sessionOf(terminal) !== session);
    const again = terminals.sessionOf(terminal);
    assert.ok(again);
    return again;
  };

  let asked = 0;
  const ask = () => `${ASK} # ${asked + 1}`;
  const allIsShown = async (session: Session, terminal: vscode.Terminal) => {
    terminal.sendText(ask());
    asked += 1;
    await untilOutput(session, new RegExp(`# ${asked}\r\n.*answer:`, 's'));
  };

  it('run vim; after that nothing appears at the prompt, however often the session is opened @all', async () => {
    const session = await start(SHELL);
    const input = recordInput(session);
    assert.equal(spawnSync('vim', ['--version']).status, 0, 'This test needs vim: install it.');
    let terminal = open(session, { fresh: true });
    await untilOutput(session, '$ ');
    terminal.sendText('vim -u DEFAULTS -N -i NONE --cmd "set term=xterm-256color"');
    // vim asks for the kind of terminal, the position of the cursor and the colours, and then, knowing these, for a
    // mode.
    await until(
      () => input.text,
      (seen) => seen.includes('$y'),
    );
    assert.match(input.text, /R.*\u001b\[>[\d;]+c.*\u001b\]11;rgb:/s);
    terminal.sendText(':q');
    await untilOutput(session, /\u001b\[\?1049l.*\$ $/s);

    input.text = '';
    const quiet = (await output(session)).length;
    const expected: string[] = [];
    const checkOpened = async () => {
      await untilActive(terminal);
      expected.push(`${ask()}\r\u001b[0n`);
      await allIsShown(session, terminal);
    };
    for (let time = 0; time < 2; time++) {
      await closeByUser(terminal);
      terminal = open(session);
      await checkOpened();
    }
    terminal = open(session, { newTerminal: true });
    await checkOpened();
    assert.equal(input.text, expected.join(''));
    assert.doesNotMatch((await output(session)).slice(quiet), /command not found|\d[Rc]|rgb:/);
  });

  it('let exactly one of several answer: the one that had the focus last', async () => {
    const session = await start(SHELL);
    const input = recordInput(session);
    const one = open(session, { fresh: true });
    await untilActive(one);
    const two = open(session, { newTerminal: true });
    await untilActive(two);
    for (const terminal of [two, one, two, one]) {
      await focus(terminal);
      await allIsShown(session, terminal);
    }
    assert.equal(input.text.split('\u001b[0n').length - 1, 4, JSON.stringify(input.text));
  });

  it('give the session the size of the one that had the focus last', async () => {
    const session = await start(SHELL, { size: { columns: 33, rows: 7 } });
    const terminal = open(session, { fresh: true });
    await untilActive(terminal);
    await until(() => session.process.info().size?.columns, terminals.lastSize?.columns);
    const { columns, rows } = terminals.lastSize ?? {};
    assert.ok(columns !== undefined && columns !== 33);
    terminal.sendText('stty size');
    await untilOutput(session, `${rows} ${columns}`);
  });

  it('show the same terminal again, or another one if that is wanted', async () => {
    const session = await start(SHELL);
    const one = open(session, { fresh: true });
    assert.equal(open(session), one);
    const two = open(session, { newTerminal: true });
    assert.notEqual(two, one);
    assert.equal(terminals.sessionOf(one), session);
    assert.equal(terminals.sessionOf(two), session);
    await untilActive(two);
    assert.equal(open(session), two, 'the one that had the focus last');
    assert.equal(terminals.sessionOf(undefined), undefined);
  });

  it('take a large paste in order', async () => {
    const paste = Array.from({ length: 30_000 }, (_, index) => `line ${index}\r`).join('');
    const session = await start(['sh', '-c', `stty -echo raw; echo ready; head -c ${paste.length} | md5sum`]);
    const terminal = open(session, { fresh: true });
    await untilOutput(session, 'ready');
    terminal.sendText(paste, false);
    await untilOutput(session, createHash('md5').update(paste).digest('hex'));
  });

  it('have the name that the program gives them, or the user', async () => {
    const session = await start(SHELL);
    const terminal = open(session, { fresh: true });
    await untilOutput(session, '$ ');
    terminal.sendText(String.raw`printf '\e]0;busy\a'`);
    await until(() => terminal.name, 'busy');
    session.rename('Mine');
    await until(() => terminal.name, 'Mine');
  });

  it('show a flood to its end', async () => {
    const session = await start(['sh', '-c', 'yes | head -n 200000; echo done']);
    const terminal = open(session, { fresh: true });
    await pressR(terminal, session);
  });

  it('run a session again where R is pressed', async () => {
    const session = await start(['sh', '-c', 'echo hello; exit 3']);
    const terminal = open(session, { fresh: true });
    const again = await pressR(terminal, session);
    assert.equal(again.previousId, session.id);
    await untilOutput(again, 'hello');
    assert.ok(list.get(session.id), 'the old one stays');
  });

  it('close when Enter is pressed after the end', async () => {
    const session = await start(['true']);
    const terminal = open(session, { fresh: true });
    await pressUntil(terminal, '\r', () => terminal.exitStatus !== undefined);
    assert.equal(terminal.exitStatus?.reason, vscode.TerminalExitReason.Process);
    mine.delete(terminal);
  });

  it('take no input once the session was removed, and disturb nothing else', async () => {
    const session = await start(['true']);
    const other = await start(SHELL);
    const terminal = open(session, { fresh: true });
    const shell = open(other, { fresh: true });
    await until(() => session.state, 'closed');
    list.remove([session]);
    terminal.sendText('r', false);
    terminal.sendText('\r', false);
    shell.sendText('echo al""ive');
    await untilOutput(other, 'alive');
    assert.equal(terminal.exitStatus, undefined);
    assert.equal(list.sessions.length, 1);
  });

  for (const action of ['stop', 'ask'] as const) {
    it(`leave the session running where nobody closed them, as with a window, although the setting is "${action}"`, async () => {
      onClose = action;
      const session = await start(SHELL);
      const terminal = open(session, { fresh: true });
      await untilActive(terminal);
      terminal.dispose();
      await until(() => terminal.exitStatus !== undefined);
      assert.notEqual(terminal.exitStatus?.reason, vscode.TerminalExitReason.User);
      mine.delete(terminal);
      await session.process.write(utf8('echo al""ive\r'));
      await untilOutput(session, 'alive');
      assert.deepEqual(dialogs.said, []);
    });
  }

  it('ask and stop for a person alone, not when the window is shut down or anything else closes them', () => {
    const reasons = Object.values(vscode.TerminalExitReason).filter((reason) => typeof reason === 'number');
    assert.ok(reasons.includes(vscode.TerminalExitReason.Shutdown));
    assert.deepEqual(
      reasons.filter((reason) => closedByPerson({ exitStatus: { code: undefined, reason } })),
      [vscode.TerminalExitReason.User],
    );
    assert.equal(closedByPerson({ exitStatus: undefined }), false);
  });

  describe('closed by the user', () => {
    it('leave the session running, and say so', async () => {
      dialogs.answer = 'Show';
      const session = await start(SHELL);
      await closeByUser(open(session, { fresh: true }));
      await until(() => shown.length, 1);
      assert.match(dialogs.said.join(), /^"bash.*" keeps running/);
      await session.process.write(utf8('echo al""ive\r'));
      await untilOutput(session, 'alive');
    });

    it('together are in one message, with what helps first', async () => {
      const sessions = [await start(SHELL), await start(['sleep', '1000']), await start(['sleep', '1001'])];
      const opened: vscode.Terminal[] = [];
      for (const session of sessions) {
        const terminal = open(session, { fresh: true });
        await untilActive(terminal);
        opened.push(terminal);
      }
      dialogs.answer = 'Show';
      await vscode.commands.executeCommand('workbench.action.terminal.killAll');
      await until(
        () => shown,
        (seen) => seen.length === 3,
      );
      opened.forEach((terminal) => mine.delete(terminal));
      assert.match(dialogs.said.join(), /^3 sessions keep running/);
      assert.deepEqual(dialogs.offered, [['Show', 'Stop Them', "Don't Show Again"]]);
    });

    it('stop it if that is set', async () => {
      onClose = 'stop';
      const session = await start(['sleep', '1000']);
      const one = open(session, { fresh: true });
      await untilActive(one);
      const two = open(session, { newTerminal: true });
      await untilActive(two);
      await closeByUser(one);
      assert.equal(session.ended, false, 'another terminal shows it');
      await closeByUser(two);
      await until(() => session.ended);
    });

    it('ask if that is set, and do what is answered', async () => {
      onClose = 'ask';
      const session = await start(['sleep', '1000']);
      dialogs.answer = 'Keep';
      await closeByUser(open(session, { fresh: true }));
      await until(() => dialogs.said.length, 1);
      assert.match(dialogs.said[0] ?? '', /"sleep 1000" is still running/);
      assert.equal(session.ended, false);
      dialogs.answer = 'Reopen';
      await closeByUser(open(session));
      await until(
        () => vscode.window.terminals,
        (seen) => seen.some((terminal) => terminals.sessionOf(terminal) === session),
      );
      dialogs.answer = 'Stop';
      await closeByUser(open(session));
      await until(() => session.ended);
    });

    it('do not ask about a session that has ended', async () => {
      onClose = 'ask';
      const session = await start(['true']);
      const terminal = open(session, { fresh: true });
      await until(() => session.state, 'closed');
      await closeByUser(terminal);
      assert.deepEqual(dialogs.said, []);
    });
  });
});
