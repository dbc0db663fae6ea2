import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { freePort } from '../support/freePort.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

/** The commands, with a user played by the test. */
describe('the commands', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  it('send text and close standard input', async () => {
    const session = await fixture.start('cat', { pipeStdin: true });
    fixture.user.inputs.push('hello');
    await fixture.commands['execSessions.sendText'](session.id);
    await untilOutput(session, 'hello\n');
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await until(() => session.state, 'closed');
    assert.deepEqual(fixture.user.messages, []);
    const silent = await fixture.start('sleep 100');
    await fixture.commands['execSessions.sendText'](silent.id);
    assert.deepEqual(fixture.user.messages, [
      '"sleep 100" takes no input: it has ended, or was started without input.',
    ]);
  });

  it('close standard input once', async () => {
    const session = await fixture.start('exec 0<&-; sleep 100', { pipeStdin: true });
    const row = fixture.services.tree.nodeOf(session);
    const offered = () => fixture.services.tree.getTreeItem(row).contextValue?.includes(';stdin;');
    await until(() => offered() === true);
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await until(() => offered() === false);
    await fixture.commands['execSessions.closeStandardInput'](session.id);
    await fixture.commands['execSessions.sendText'](session.id);
    const name = 'exec 0<&-; sleep 100';
    assert.deepEqual(fixture.user.messages, [
      `The standard input of "${name}" is closed already.`,
      `"${name}" takes no input: its standard input is closed.`,
    ]);
  });

  it('rename, and give the command line back', async () => {
    const id = await fixture.commands['execSessions.newSession']({ argv: ['true'], tty: false, show: false });
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    fixture.user.inputs.push('Tests', '');
    fixture.selection = [session];
    await fixture.commands['execSessions.rename']({ selection: true });
    assert.equal(session.label, 'Tests');
    assert.deepEqual(fixture.user.asked, ['Rename "true": true'], 'it says whose name it is');
    await fixture.commands['execSessions.rename'](session.id);
    assert.equal(session.label, 'true');
  });

  it('copy the command line and the output', async () => {
    const session = await fixture.run(String.raw`printf '\033[31mred\033[0m\r\n 50 %%\r100 %%\n'`);
    await fixture.commands['execSessions.copyOutput'](session.id);
    assert.equal(await vscode.env.clipboard.readText(), 'red\n100 %\n');
    await fixture.commands['execSessions.copyCommandLine'](session.id);
    assert.equal(await vscode.env.clipboard.readText(), session.commandLine);
    const silent = await fixture.run('true');
    await fixture.commands['execSessions.copyOutput'](silent.id);
    assert.deepEqual(fixture.user.messages, ['"true" has not written anything yet.']);
  });

  it('copy the address of a port, as VS Code makes it reachable', async () => {
    await fixture.start('sleep 1000');
    await assert.rejects(
      fixture.commands['execSessions.copyPortAddress'](),
      /No session listens at a port of this machine now/,
    );
    const serve = async () => {
      const port = await freePort();
      const session = await fixture.start(`exec python3 -m http.server --bind 127.0.0.1 ${port}`);
      await until(async () => (await session.process.usage())?.ports?.length, 1);
      return port;
    };
    const copied = async (port: number) => {
      await fixture.commands['execSessions.copyPortAddress']();
      const address = await vscode.env.asExternalUri(vscode.Uri.parse(`http://localhost:${port}`));
      assert.equal(await vscode.env.clipboard.readText(), address.toString());
    };
    const port = await serve();
    await copied(port);
    await serve();
    fixture.user.picks.push(`http://localhost:${port}`);
    await copied(port);
  });

  it('save the output as text, or as it was written', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'save-'));
    try {
      const session = await fixture.run(String.raw`printf '\033[31mred\033[0m\n'`);
      for (const name of ['out.log', 'out.ansi']) {
        fixture.user.files.push(vscode.Uri.file(path.join(folder, name)));
        await fixture.commands['execSessions.saveOutput'](session.id);
      }
      assert.equal(fs.readFileSync(path.join(folder, 'out.log'), 'utf8'), 'red\n');
      assert.equal(fs.readFileSync(path.join(folder, 'out.ansi'), 'utf8'), '\u001b[31mred\u001b[0m\n');
      await fixture.commands['execSessions.saveOutput'](session.id);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('say what is missing from a saved file: in the message, and at its head unless it is for programs', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'save-'));
    try {
      const session = await fixture.run('seq 1 100000');
      session.process.evictTo(200_000);
      const { chunks } = await session.process.read();
      const kept = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
      const note = /^\[\d+ KiB of older output are no longer kept; \S+ \S+ follow\]\n/;
      for (const ending of ['.log', '.ansi', '.raw']) {
        const file = path.join(folder, `out${ending}`);
        fixture.user.files.push(vscode.Uri.file(file));
        fixture.user.said.splice(0);
        await fixture.commands['execSessions.saveOutput'](session.id);
        assert.match(
          fixture.user.messages.join(),
          /^Saved .* to out\.\w+\. The output is not complete: \d+ KiB of older output are no longer kept\.$/,
        );
        const text = fs.readFileSync(file, 'utf8');
        assert.equal(note.test(text), ending !== '.raw');
        assert.ok(text.endsWith(ending === '.log' ? '\n99999\n100000\n' : kept));
      }
      assert.equal(fs.readFileSync(path.join(folder, 'out.raw'), 'utf8'), kept);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('say first in a text what is no longer kept', async () => {
    const session = await fixture.run('seq 1 100000');
    session.process.evictTo(200_000);
    await fixture.commands['execSessions.copyOutput'](session.id);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^\[\d+ KiB of older output are no longer kept; \S+ \S+ follow\]\n/);
    assert.ok(text.endsWith('\n99999\n100000\n'));
  });

  it('say clearly that a session is not there', async () => {
    const session = await fixture.run('true');
    const row = fixture.services.tree.nodeOf(session);
    await fixture.commands['execSessions.remove'](session.id);
    const { commands } = fixture;
    await assert.rejects(commands['execSessions.openTerminal'](row), /The session "true" has been removed/);
    await assert.rejects(commands['execSessions.stop'](session.id), /There is no session with the id/);
    await assert.rejects(
      commands['execSessions.stop']({ id: 'nonsense' }),
      /no session with the id "nonsense"/,
    );
    await assert.rejects(
      commands['execSessions.stop'](7 as unknown as string),
      /something that is no session/,
    );
    await commands['execSessions.openTerminal']();
    assert.deepEqual(fixture.user.messages, [
      'Moved "true" to Ended Earlier.',
      'There are no sessions yet. Start one with New Session.',
    ]);
  });
});
