import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { Emitter, type Disposable, type Event, type Localizer } from '../../src/core/index.js';

/** `core` knows nothing of VS Code, so it declares these shapes itself. The compiler checks here that they fit. */
describe('The shapes of VS Code that core declares itself', () => {
  it('fit: events, in both directions', () => {
    const ours = new Emitter<number>();
    const theirs = new vscode.EventEmitter<number>();
    const heard: number[] = [];
    const subscriptions = [
      (ours.event satisfies vscode.Event<number>)((event) => heard.push(event)),
      (theirs.event satisfies Event<number>)((event) => heard.push(event)),
    ];
    ours.fire(1);
    theirs.fire(2);
    for (const subscription of subscriptions) {
      subscription.dispose();
    }
    ours.fire(3);
    theirs.fire(4);
    assert.deepEqual(heard, [1, 2]);
  });

  it('fit: what can be disposed, in both directions', () => {
    const disposed: string[] = [];
    const ours: Disposable = { dispose: () => void disposed.push('ours') };
    const theirs = new vscode.Disposable(() => disposed.push('theirs')) satisfies Disposable;
    vscode.Disposable.from(ours satisfies { dispose(): unknown }, theirs).dispose();
    assert.deepEqual(disposed.sort(), ['ours', 'theirs']);
  });

  it('fit: messages in the language of the user', () => {
    const l10n = vscode.l10n satisfies Localizer;
    assert.equal(l10n.t('{0} of {1}', 1, 'two'), '1 of two');
  });
});
