import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { ExecSession, OutputEvent, StartOptions } from '../../src/api/exec-sessions.js';
import { textOf } from '../support/bytes.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { chosenBackend, Fixture, setSetting } from './fixture.js';

describe('the public API', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const start = (options: StartOptions): Promise<ExecSession> =>
    fixture.services.api.start({ tty: false, show: false, ...options });

  const untilClosed = (session: ExecSession) => until(() => session.info().state, 'closed');

  it('starts, reads and reports a session', async () => {
    const session = await start({
      argv: ['bash', '-c', 'echo out; echo err >&2; echo "$GREETING"; exit 7'],
      env: { GREETING: 'hello' },
      title: 'Greeter',
      startedBy: { kind: 'agent', name: 'Codex' },
      separateStderr: true,
    });
    await untilClosed(session);
    const { chunks, nextSeq, exited, exit, closed } = await session.read();
    assert.equal(textOf(chunks.filter(({ stream }) => stream === 'stdout')), 'out\nhello\n');
    assert.equal(textOf(chunks.filter(({ stream }) => stream === 'stderr')), 'err\n');
    assert.deepEqual({ exited, exit, closed }, { exited: true, exit: { exitCode: 7 }, closed: true });
    assert.ok(nextSeq > chunks.length);
    const info = session.info();
    assert.equal(info.title, 'Greeter');
    assert.deepEqual(info.startedBy, { kind: 'agent', name: 'Codex' });
    assert.equal(info.cwd, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    assert.equal(info.output.bytes, 14);
    assert.ok(info.pid !== undefined && info.exitedAt !== undefined);
  });

  it("gives the outputs of an agent's session one pipe, in order", async () => {
    const argv = ['bash', '-c', 'echo out; echo err >&2; echo more'];
    const session = await start({ argv, startedBy: { kind: 'agent', name: 'Codex' } });
    await untilClosed(session);
    const { chunks } = await session.read();
    assert.equal(textOf(chunks.filter(({ stream }) => stream === 'stdout')), 'out\nerr\nmore\n');
  });

  it('tells what happens, in order', async () => {
    const { api } = fixture.services;
    const seen: string[] = [];
    const disposables: vscode.Disposable[] = [];
    api.onDidStart(({ id }) => seen.push(`start ${id}`), undefined, disposables);
    api.onDidExit(({ id }) => seen.push(`exit ${id}`), undefined, disposables);
    api.onDidEnd(({ id }) => seen.push(`end ${id}`), undefined, disposables);
    api.onDidRemove(({ id }) => seen.push(`remove ${id}`), undefined, disposables);
    const session = await start({ argv: ['true'] });
    await untilClosed(session);
    session.remove();
    assert.deepEqual(
      seen,
      ['start', 'exit', 'end', 'remove'].map((what) => `${what} ${session.id}`),
    );
    disposables.forEach((disposable) => void disposable.dispose());
    await untilClosed(await start({ argv: ['true'] }));
    assert.equal(seen.length, 4);
  });

  it('gives a subscriber a replay and what follows', async () => {
    const session = await start({ argv: ['bash', '-c', 'echo one; read; echo two'], pipeStdin: true });
    await until(async () => (await session.read()).chunks.length > 0);
    const events: OutputEvent[] = [];
    const subscription = session.subscribe((event) => events.push(event));
    assert.equal(await session.write('\n'), 'accepted');
    await until(() => events.at(-1)?.type, 'closed');
    subscription.dispose();
    const output = events.filter((event) => event.type === 'output');
    assert.equal(textOf(output), 'one\ntwo\n');
    assert.deepEqual(
      events.flatMap((event) => ('seq' in event ? [event.seq] : [])),
      events.map((_, index) => index + 1),
    );
  });

  it('gives a subscriber output that stays as it is, whatever he asks for', async () => {
    const session = await start({
      argv: ['bash', '-c', 'for n in 1 2 3; do read; echo line $n; done'],
      tty: true,
    });
    const kept: OutputEvent[] = [];
    // An option that only subscribers inside the extension have.
    const options: object = { borrows: true };
    const subscription = session.subscribe((event) => kept.push(event), options);
    for (const line of ['line 1', 'line 2', 'line 3']) {
      await session.write('\r');
      await until(
        async () => textOf((await session.read()).chunks),
        (seen) => seen.includes(line),
      );
    }
    await untilClosed(session);
    await until(() => kept.at(-1)?.type, 'closed');
    subscription.dispose();
    const output = kept.filter((event) => event.type === 'output');
    assert.equal(textOf(output), textOf((await session.read()).chunks));
  });

  it('writes, closes input, resizes, signals, stops and kills (SECURITY.md: Other extensions)', async () => {
    const cat = await start({ argv: ['cat'], pipeStdin: true });
    await cat.write('text');
    await cat.closeInput();
    await untilClosed(cat);
    assert.equal(textOf((await cat.read()).chunks), 'text');
    assert.equal(await cat.write('more'), 'stdinClosed');

    const terminal = await start({ argv: ['bash', '--norc', '-c', 'read; stty size; sleep 100'], tty: true });
    await terminal.resize({ columns: 132, rows: 50 });
    await terminal.write('\r');
    await until(
      async () => textOf((await terminal.read()).chunks),
      (seen) => seen.includes('50 132'),
    );
    await terminal.signal('SIGTERM');
    await untilClosed(terminal);
    assert.equal(terminal.info().exit?.signal, 'SIGTERM');

    const stopped = await start({ argv: ['sleep', '100'] });
    const report = await stopped.stop();
    assert.deepEqual([report.running, report.exited, report.survivors], [true, true, []]);
    const killed = await start({ argv: ['bash', '-c', `trap '' INT TERM; sleep 100`] });
    assert.deepEqual((await killed.kill()).steps, ['kill']);
  });

  it("says who controls an agent's session, and writes into it whoever does", async () => {
    const startedBy = { kind: 'agent', name: 'My Agent' } as const;
    const session = await start({ argv: ['cat'], pipeStdin: true, startedBy });
    assert.equal(session.info().controller, 'agent');
    assert.equal(await session.write('one '), 'accepted');
    let changes = 0;
    const subscription = fixture.services.api.onDidChange(() => (changes += 1));
    await fixture.commands['execSessions.takeControl'](session.id);
    assert.equal(session.info().controller, 'person');
    subscription.dispose();
    assert.equal(changes, 1);
    assert.equal(await session.write('two'), 'accepted');
    await session.closeInput();
    await untilClosed(session);
    assert.equal(textOf((await session.read()).chunks), 'one two');
    const other = await start({ argv: ['true'] });
    assert.ok(!('controller' in other.info()));
  });

  it('ends a stop where it is when that is cancelled', async () => {
    const stubborn = `trap '' INT TERM HUP; echo ready; while :; do sleep 0.05; done`;
    const session = await start({ argv: ['bash', '-c', stubborn] });
    await until(async () => (await session.read()).chunks.length > 0);
    const source = new vscode.CancellationTokenSource();
    const stopping = session.stop(source.token);
    assert.equal(session.info().stopping, true);
    source.cancel();
    const report = await stopping;
    assert.deepEqual(
      [report.exited, session.info().state, session.info().stopping],
      [false, 'running', false],
    );
  });

  it('ends everything when VS Code closes, also what ignores signals, where no server runs it', async () => {
    await fixture.dispose();
    await setSetting('local.backend', 'extensionHost');
    fixture = new Fixture();
    await setSetting('local.backend', chosenBackend);
    const stubborn = `trap '' INT TERM HUP; echo ready; while :; do sleep 0.05; done`;
    const sessions = await Promise.all(
      [true, false, true].map((tty) => start({ argv: ['bash', '-c', stubborn], tty })),
    );
    for (const session of sessions) {
      await until(async () => (await session.read()).chunks.length > 0);
    }
    const pids = sessions.map((session) => session.info().pid ?? 0);
    await fixture.services.shutdown();
    assert.deepEqual(await Promise.all(pids.map(isRunning)), [false, false, false]);
  });

  it('says what is wrong in words', async () => {
    await assert.rejects(start({ argv: [] }), /names no program/);
    await assert.rejects(
      start({ argv: ['ls'], cwd: '/no/such/dir' }),
      /directory \/no\/such\/dir does not exist/,
    );
    await assert.rejects(start({ argv: ['ls'], cwd: '/etc/passwd' }), /\/etc\/passwd is not a directory/);
    const session = await start({ argv: ['sleep', '100'] });
    await assert.rejects(session.resize({ columns: 80, rows: 24 }), /without a terminal/);
    await assert.rejects(session.signal('SIGNONSENSE'), /no signal called "SIGNONSENSE"/);
    assert.throws(() => session.remove(), /still running/);
    assert.equal(fixture.services.api.get('nonsense'), undefined);
    assert.equal(fixture.services.api.list().length, 1);
  });

  it('says in words which argument of what session is wrong', async () => {
    const session = await start({ argv: ['cat'], title: 'The cat' });
    const bad = (value: unknown) => value as never;
    const about = (text: string) => ({ name: 'UserError', message: `Session "The cat": ${text}` });
    assert.throws(() => session.rename(bad(5)), about('"title" must be a string; it is 5.'));
    assert.throws(() => session.rename(bad(undefined)), about('"title" must be a string; it is undefined.'));
    assert.throws(() => session.show(bad(null)), about('"options" must be an object; it is null.'));
    assert.throws(() => session.subscribe(bad(5)), about('"listener" must be a function; it is 5.'));
    assert.throws(
      () => session.subscribe(() => undefined, bad(null)),
      about('"options" must be an object; it is null.'),
    );
    await assert.rejects(session.stop(bad('x')), about('"token" must be a CancellationToken; it is "x".'));
    await assert.rejects(
      session.write(bad(undefined)),
      about('"data" must be a string or a Uint8Array; it is Undefined.'),
    );
    await assert.rejects(session.resize(bad(null)), about('"size" must be an object; it is null.'));
    await assert.rejects(
      session.read({ afterSeq: -1 }),
      about('"afterSeq" must be a whole number that is not negative; it is -1.'),
    );
    await assert.rejects(
      session.read({ waitMs: NaN }),
      /"waitMs" must be a number that is not negative; it is NaN/,
    );
    await assert.rejects(session.resize({ columns: 80, rows: 24 }), /^UserError: "The cat" has no size/);
    await untilClosed(session);
  });

  it('says that a session has been removed, whatever it is asked', async () => {
    const session = await start({ argv: ['true'] });
    await untilClosed(session);
    session.remove();
    assert.equal(fixture.services.api.get(session.id), undefined);
    const removed = /The session "true" has been removed/;
    assert.throws(() => session.info(), removed);
    assert.throws(() => session.show(), removed);
    assert.throws(() => session.subscribe(() => undefined), removed);
    await assert.rejects(session.read(), removed);
    await assert.rejects(session.write('x'), removed);
    await assert.rejects(session.stop(), removed);
  });

  it('starts nothing in a workspace that is not trusted', async () => {
    fixture.trusted = false;
    await assert.rejects(start({ argv: ['true'] }), /This workspace is not trusted/);
    assert.deepEqual(fixture.services.api.list(), []);
  });

  it('gives sessions the environment of the settings, and none of VS Code', async () => {
    await setSetting('env', { FROM_SETTINGS: 'yes', HOME: null });
    try {
      const session = await start({ argv: ['env'], env: { FROM_CALLER: 'yes' } });
      await untilClosed(session);
      const text = textOf((await session.read()).chunks);
      assert.match(text, /^FROM_SETTINGS=yes$/m);
      assert.match(text, /^FROM_CALLER=yes$/m);
      assert.match(text, /^PATH=/m);
      assert.doesNotMatch(text, /^(VSCODE_|ELECTRON_|HOME=)/m);
    } finally {
      await setSetting('env', undefined);
    }
  });
});
