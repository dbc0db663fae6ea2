import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { type Disposable, never } from '../../src/core/index.js';
import type { Session, SessionList } from '../../src/sessions/list/index.js';
import { showActiveTerminal } from '../../src/vscode/terminals/activeTerminal.js';
import { until } from '../support/until.js';
import { Fixture } from './fixture.js';

/**
 * The context key for the menus of terminals. Real terminals and a real list tell of many events at the same time, so
 * here only the tested one speaks.
 */
describe('what the menus of terminals know', () => {
  let fixture: Fixture;
  let shown: Disposable | undefined;
  let value: string;
  let terminal: vscode.Terminal;
  /** The session of the terminal. */
  let session: Session;
  let changed: vscode.EventEmitter<void>;

  beforeEach(async () => {
    fixture = new Fixture();
    value = '';
    changed = new vscode.EventEmitter();
    session = await fixture.start('sleep 1000');
    terminal = vscode.window.createTerminal('of a session');
  });

  afterEach(async () => {
    shown?.dispose();
    changed.dispose();
    await fixture.dispose();
  });

  const show = (list: Pick<SessionList, 'onDidChange'>) => {
    const terminals = {
      sessionOf: (one: vscode.Terminal | undefined) => (one === terminal ? session : undefined),
      onDidChange: changed.event,
    };
    shown = showActiveTerminal(terminals, list, (next) => {
      value = next;
    });
  };
  const activate = async (next: vscode.Terminal) => {
    next.show();
    await until(() => vscode.window.activeTerminal, next);
  };
  const has = (word: string) => value.includes(`;${word};`);

  it('changes with the active terminal', async () => {
    show({ onDidChange: never });
    const other = vscode.window.createTerminal('not ours');
    await activate(other);
    await activate(terminal);
    await until(() => has('running'));
    await activate(other);
    await until(() => value, '');
  });

  it('changes when the active terminal shows another session, without a word of the list', async () => {
    show({ onDidChange: never });
    await activate(terminal);
    changed.fire();
    assert.ok(has('running'));
    session = await fixture.run('true');
    changed.fire();
    assert.ok(has('ended') && !has('running'), value);
  });

  it('changes with the state of the session', async () => {
    await activate(terminal);
    show(fixture.list);
    await session.stop();
    await until(() => has('ended') && !has('running'));
  });
});
