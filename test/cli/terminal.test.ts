import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import type { Machine } from '../../src/machine/index.js';
import { type Sshd, startSshd } from '../rig/sshd.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { cli, type CliTerminal, runLine, useTerminals } from './cliFixture.js';

const CTRL_BACKSLASH = '\u001c';

describe('exec-sessions on a terminal', () => {
  const machine = useMachine();
  const open = useTerminals(machine);

  const connect = async (): Promise<Machine> => {
    const connected = await machine.connect({ start: false });
    assert.ok(connected, 'a session server runs');
    return connected;
  };
  const onlyProcess = async (connected: Machine) => {
    const [only, ...others] = await connected.backend.list();
    assert.ok(only !== undefined && others.length === 0);
    return connected.backend.attach(only.processId);
  };

  it('runs a program on a terminal of this size, and exits with its code', async () => {
    const terminal = await open(['run', '--', 'sh', '-c', 'test -t 0 && stty size; exit 7'], {
      columns: 90,
      rows: 20,
    });
    assert.equal(await terminal.ended(), 7);
    assert.match(terminal.text, /^20 90\r+\n/);
  });

  it('detaches when Ctrl-\\ is pressed twice, and attaches to what goes on', async () => {
    const first = await open(['run', '--title', 'dev', '--', 'sh', '-c', 'echo ready; exec cat']);
    await first.shows('ready');
    await first.type(`${CTRL_BACKSLASH}${CTRL_BACKSLASH}`);
    assert.equal(await first.ended(), 0);
    const [, id] = /come back with: exec-sessions attach ([0-9a-f]{8})\]/.exec(first.text) ?? [];
    assert.ok(id !== undefined, first.text);
    const second = await open(['attach', id]);
    await second.shows('ready');
    await second.type('again\r');
    await second.shows('again\r\r\nagain\r\r\n');
    await second.type('\u0004');
    assert.equal(await second.ended(), 0);
  });

  describe('over ssh', () => {
    let sshd: Sshd;
    beforeEach(async () => (sshd = await startSshd()));
    afterEach(() => sshd.stop());

    it('lets the program that leads to another machine ask, and keeps Ctrl-C from it', async () => {
      const asks = path.join(machine.folder, 'asks');
      const script =
        '#!/bin/sh\nprintf "Password: " >/dev/tty; read -r word </dev/tty; [ "$word" = open ] || exit 5; exec "$@"\n';
      fs.writeFileSync(asks, script, { mode: 0o700 });
      const server = path.join(path.dirname(cli), 'exec-server.js');
      const way = [asks, ...sshd.argv(process.execPath, server, 'bridge', '--stdio')].join(' ');
      const terminal = await open([
        'run',
        '--pipes',
        '--on',
        way,
        '--',
        'sh',
        '-c',
        'trap "exit 9" INT; echo up; while :; do sleep 0.1; done',
      ]);
      await terminal.shows('Password: ');
      await terminal.type('open\r');
      await terminal.shows('up');
      await terminal.type('\u0003');
      assert.equal(await terminal.ended(), 9);
    });
  });

  it('refuses a line that the terminal of the session would cut', async () => {
    const script = 'echo ready; while IFS= read -r x; do echo "got ${#x}"; done';
    const terminal = await open(['run', '--title', 'lines', '--', 'sh', '-c', script]);
    await terminal.shows('ready');
    const refused = 'refused, because this terminal cuts lines after 4095 bytes';
    await terminal.type(`${'a'.repeat(6_000)}\r`);
    await terminal.shows(refused);
    // A paste arrives in parts. This drops the part before the one that was refused.
    await terminal.type('\u0015');
    const sent = await runLine(machine, `exec-sessions send lines "$(printf %6000s)"`);
    assert.equal(sent.code, 1);
    assert.ok(sent.stderr.includes(refused), sent.stderr);
    const piped = runLine(machine, `printf '%6000s\\n' | exec-sessions attach lines 2> piped`);
    const told = path.join(machine.folder, 'piped');
    await until(() => fs.existsSync(told) && fs.readFileSync(told, 'utf8').includes(refused));
    assert.equal((await runLine(machine, `exec-sessions send lines "$(printf %4095s | tr ' ' b)"`)).code, 0);
    await terminal.shows('got 4095');
    await terminal.type('\u0004');
    await terminal.ended();
    await piped;
    assert.equal(terminal.text.match(/got \d+/g)?.length, 1);
  });

  it('detaches however the terminal encodes Ctrl-\\', async () => {
    const twice = [
      '\u001b[92;5u\u001b[92;5u',
      '\u001b[92;133u\u001b[92;133u',
      '\u001b[92;5:1u\u001b[92;5:3u\u001b[57442;1:3u\u001b[57442;5:1u\u001b[92;5:1u',
      '\u001b[27;5;92~\u001b[27;5;92~',
    ];
    const first = await open([
      'run',
      '--title',
      'keys',
      '--',
      'sh',
      '-c',
      'stty raw; echo ready; exec cat -v',
    ]);
    await first.shows('ready');
    await first.type('\u001b[92;5:1u\u001b[92;5:3ux');
    await first.shows('^[[92;5:1u^[[92;5:3ux');
    await first.type(CTRL_BACKSLASH.repeat(2));
    assert.equal(await first.ended(), 0);
    for (const keys of twice) {
      const again = await open(['attach', 'keys']);
      await again.shows('ready');
      await again.type(keys);
      assert.equal(await again.ended(), 0);
      assert.match(again.text, /come back with/);
    }
  });

  it('says who has stopped what it shows', async () => {
    const terminal = await open(['run', '--title', 'it', '--', 'sh', '-c', 'echo ready; exec sleep 1000']);
    await terminal.shows('ready');
    await runLine(machine, 'exec-sessions stop it');
    assert.equal(await terminal.ended(), 130);
    assert.match(terminal.text, /\[It was stopped by a person\]\s*$/);
  });

  it('passes a single Ctrl-\\ on', async () => {
    const terminal = await open(['run', '--', 'sh', '-c', 'trap "echo quit; exit 5" QUIT; echo ready; cat']);
    await terminal.shows('ready');
    await terminal.type(CTRL_BACKSLASH);
    assert.equal(await terminal.ended(), 5);
    assert.match(terminal.text, /quit/);
  });

  it('gives the session the size of the terminal that was typed into last', async () => {
    const large = await open(['run', '--title', 'it', '--', 'cat'], { columns: 100, rows: 30 });
    await until(async () => (await machine.servers()).length, 1);
    let connected: Machine | undefined;
    await until(async () => (connected ??= await machine.connect({ start: false })) !== undefined);
    assert.ok(connected);
    const { backend } = connected;
    await until(async () => (await backend.list()).length, 1);
    const session = await onlyProcess(connected);
    const hasSize = (columns: number, rows: number) =>
      until(() => session.info().size?.columns === columns && session.info().size?.rows === rows);
    await hasSize(100, 30);
    const small = await open(['attach', 'it'], { columns: 70, rows: 20 });
    await hasSize(70, 20);
    await small.process.resize({ columns: 71, rows: 21 });
    await hasSize(71, 21);
    await large.type('a');
    await hasSize(100, 30);
    session.release();
    await large.type('\u0003');
    assert.equal(await large.ended(), 130);
    assert.equal(await small.ended(), 130);
  });

  it('shows vim as it stands, and leaves its screen with it', async () => {
    fs.writeFileSync(path.join(machine.folder, 'poem.txt'), 'roses are red\n');
    const started = await runLine(machine, 'exec-sessions run --detach -- vim -u NONE -i NONE poem.txt');
    assert.equal(started.code, 0, started.stderr);
    const terminal = await open(['attach', started.stdout.trim()]);
    await until(
      () => terminal.screen(),
      (seen) => seen.includes('roses are red'),
    );
    assert.match(terminal.screen(), /^\["alternate"/);
    await terminal.type('ggOviolets are blue\u001b:wq\r');
    assert.equal(await terminal.ended(), 0);
    assert.match(terminal.screen(), /^\["normal"/);
    assert.equal(
      fs.readFileSync(path.join(machine.folder, 'poem.txt'), 'utf8'),
      'violets are blue\nroses are red\n',
    );
  });

  it('gives the terminal back when it is stopped, and takes it again when it goes on', async () => {
    const terminal = await open(['run', '--', 'cat']);
    await takesKeys(terminal);
    const { pid } = terminal.process.info();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGTSTP');
    await until(() => stateOf(pid), 'T');
    assert.equal((await terminal.process.inputMode())?.canonical, true);
    process.kill(pid, 'SIGCONT');
    await takesKeys(terminal);
    await terminal.type('still here\r');
    await terminal.shows('still here\r\r\nstill here');
    await terminal.type('\u0004');
    assert.equal(await terminal.ended(), 0);
    assert.equal(terminal.text.includes('Detached'), false);
  });

  it('gives the terminal back when SIGTERM ends it, and leaves the session alone', async () => {
    await runLine(machine, 'exec-sessions run --detach --title it -- cat');
    const terminal = await open(['attach', 'it']);
    await takesKeys(terminal);
    await terminal.type('\u001b[?2004h\r');
    await terminal.shows('\u001b[?2004h');
    const { pid } = terminal.process.info();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGTERM');
    assert.equal(await terminal.ended(), 143);
    assert.match(terminal.text, /\u001b\[\?2004l[^l]*$/);
    const session = await onlyProcess(await connect());
    assert.equal(session.info().state, 'running');
    session.release();
  });

  it('keeps the size of the session when the terminal is made smaller until nothing is left', async () => {
    const terminal = await open(['run', '--', 'cat'], { columns: 90, rows: 20 });
    await takesKeys(terminal);
    const { pid } = terminal.process.info();
    assert.ok(pid !== undefined);
    execFileSync('stty', ['-F', fs.readlinkSync(`/proc/${pid}/fd/0`), 'cols', '0', 'rows', '0']);
    await terminal.type('still here\r');
    await terminal.shows('still here\r\r\nstill here');
    const session = await onlyProcess(await connect());
    assert.deepEqual(session.info().size, { columns: 90, rows: 20 });
    session.release();
    await terminal.type('\u0004');
    assert.equal(await terminal.ended(), 0);
  });

  it('watches the list until Ctrl-C', async () => {
    const terminal = await open(['ls', '--watch'], { columns: 60, rows: 20 });
    await terminal.shows('No session runs.');
    await runLine(machine, 'exec-sessions run --detach --title dev -- sleep 1000');
    await until(
      () => terminal.screen(),
      (seen) => /running .* dev/.test(seen),
    );
    await runLine(
      machine,
      'exec-sessions rename dev other && exec-sessions run --detach --title more -- cat',
    );
    await until(
      () => terminal.screen(),
      (seen) => /running .* other.*running .* more/.test(seen),
    );
    await runLine(machine, 'exec-sessions kill other more');
    await until(
      () => terminal.screen(),
      (seen) => seen.includes('No session runs.'),
    );
    await terminal.type('\u0003');
    assert.equal(await terminal.ended(), 130);
  });

  it('only looks on with --read-only', async () => {
    await runLine(machine, "exec-sessions run --detach --title it -- sh -c 'echo ready; exec cat'");
    const terminal = await open(['attach', '--read-only', 'it']);
    await terminal.shows('ready');
    await terminal.type('unsent\r');
    await terminal.type('\u0003');
    assert.equal(await terminal.ended(), 0);
    const session = await onlyProcess(await connect());
    await session.write(Buffer.from('sent\r'));
    const output = async () =>
      Buffer.concat((await session.read()).chunks.map(({ bytes }) => bytes)).toString();
    await until(
      () => output(),
      (seen) => seen.includes('sent\r\nsent\r\n'),
    );
    assert.equal((await output()).includes('unsent'), false);
    session.release();
  });

  it('types into what an agent controls only with control (SECURITY.md: `exec-sessions` and other programs of yours)', async () => {
    const connected = await machine.connect();
    assert.ok(connected);
    const session = await connected.backend.start({
      processId: 'of-an-agent',
      argv: ['cat'],
      cwd: machine.folder,
      env: machine.env,
      tty: true,
      owned: true,
      metadata: { title: 'it', origin: { kind: 'agent', name: 'Coder' } },
    });
    const looker = await open(['attach', 'it']);
    await looker.shows('Coder controls "it"');
    await takesKeys(looker);
    await looker.type(`no\r${CTRL_BACKSLASH}${CTRL_BACKSLASH}`);
    assert.equal(await looker.ended(), 0);
    const taker = await open(['attach', '--take-control', 'it']);
    await until(() => session.info().metadata['controller'], 'person');
    await takesKeys(taker);
    await taker.type('yes\r');
    await taker.shows('yes\r\r\nyes');
    assert.equal(taker.text.includes('no'), false);
    await taker.type('\u0004');
    assert.equal(await taker.ended(), 0);
    session.release();
  });
});

/** Resolves once each key comes as it is typed, and the terminal takes no key for itself. */
function takesKeys(terminal: CliTerminal): Promise<void> {
  return until(async () => (await terminal.process.inputMode())?.canonical === false);
}

function stateOf(pid: number): string | undefined {
  return /^\d+ \(.*\) (\w)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}
