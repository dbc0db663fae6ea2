import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { TerminalTabs, terminalsKey } from '../../src/vscode/terminals/terminalTabs.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

describe('terminals in the editor area @all', () => {
  let fixture: Fixture;
  let tabs: TerminalTabs;
  /** The context keys that were set. */
  let keys: Map<string, readonly string[]>;

  beforeEach(() => {
    fixture = new Fixture();
    keys = new Map();
    const { terminals } = fixture.services;
    tabs = new TerminalTabs({
      terminals,
      list: fixture.list,
      set: (key, numbers) => keys.set(key, numbers),
      log: { warn: (line) => assert.fail(line) },
    });
  });

  afterEach(async () => {
    tabs.dispose();
    await fixture.dispose();
  });

  const numbersOf = (flag: Parameters<typeof terminalsKey>[0]) => keys.get(terminalsKey(flag)) ?? [];
  const addressOf = (number: string) => vscode.Uri.parse(`vscode-terminal:/workspace/${number}#title`);
  /** Opens two sessions there, and a terminal of VS Code between them. Returns the address of each session's. */
  const openBoth = async () => {
    const first = await fixture.start('echo written one; sleep 1000', { tty: true });
    const second = await fixture.start('echo written two; sleep 1000', { tty: true });
    const { terminals } = fixture.services;
    terminals.open(first, { column: vscode.ViewColumn.One });
    vscode.window.createTerminal({ name: 'not ours', location: { viewColumn: vscode.ViewColumn.One } });
    terminals.open(second, { column: vscode.ViewColumn.Two });
    await until(() => numbersOf('running').length, 2);
    const addresses = numbersOf('running').map(addressOf);
    const sessions = addresses.map((address) => tabs.sessionAt(address));
    assert.deepEqual(new Set(sessions), new Set([first, second]), 'each number leads to another session');
    const [ofFirst, ofSecond] = [first, second].map((session) => addresses[sessions.indexOf(session)]);
    assert.ok(ofFirst && ofSecond);
    return { first, second, ofFirst, ofSecond };
  };

  it('are known by their numbers, with the state of what they show', async () => {
    const { first, ofFirst } = await openBoth();
    const number = ofFirst.path.split('/')[2] ?? '';
    await first.stop();
    await until(
      () => numbersOf('ended'),
      (seen) => seen.includes(number),
    );
    assert.equal(numbersOf('running').includes(number), false);
    assert.equal(numbersOf('session').length, 2, 'the terminal of VS Code is none of ours');
    fixture.services.terminals.closeOf([first]);
    await until(() => numbersOf('session').length, 1);
    assert.equal(tabs.sessionAt(ofFirst), undefined);
  });

  it('lead a command to their session', async () => {
    const { first, second, ofFirst, ofSecond } = await openBoth();
    await untilOutput(first, 'written one');
    await untilOutput(second, 'written two');
    await until(async () => {
      // The services find the numbers themselves, at another time.
      await fixture.commands['execSessions.copyOutput'](ofFirst).catch(() => undefined);
      return (await vscode.env.clipboard.readText()).includes('written one');
    });
    await fixture.commands['execSessions.copyOutput'](ofSecond);
    assert.match(await vscode.env.clipboard.readText(), /written two/);
    await fixture.commands['execSessions.stop'](ofFirst);
    await until(() => first.state, 'closed');
    assert.equal(second.state, 'running');
  });

  it('that show no session are refused, and said', async () => {
    await openBoth();
    await assert.rejects(
      fixture.commands['execSessions.stop'](addressOf('4000')),
      /^UserError: This terminal shows no session of Exec Sessions\.$/,
    );
  });
});
