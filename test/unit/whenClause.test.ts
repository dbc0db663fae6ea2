import assert from 'node:assert/strict';

import { type ContextKeys, holdsWhen } from '../support/whenClause.js';

describe('a when clause', () => {
  const keys: ContextKeys = {
    view: 'list',
    on: true,
    off: false,
    empty: '',
    item: ';session;running;',
  };
  const holding = (clauses: readonly string[]) => clauses.filter((clause) => holdsWhen(clause, keys));

  it('compares keys, matches them, and takes them for conditions', () => {
    const right = [
      'on',
      'item',
      '!off',
      '!missing',
      '!empty',
      'view == list',
      "view == 'list'",
      'on == true',
      'item =~ /;running;/',
      'item =~ /^((?!;closed;).)*$/',
      'item =~ /;RUNNING;/i',
    ];
    assert.deepEqual(holding(right), right);
    const wrong = [
      'off',
      'missing',
      'empty',
      '!on',
      'view == lists',
      'missing == list',
      'item =~ /;closed;/',
      'missing =~ /.*/',
    ];
    assert.deepEqual(holding(wrong), []);
  });

  it('joins conditions, "and" before "or"', () => {
    const right = [
      'on || off && off',
      'off && off || on',
      '!off && item =~ /session|closed/ && on',
      'off || off || on',
    ];
    assert.deepEqual(holding(right), right);
    assert.deepEqual(holding(['off && on || off', 'on && off', 'on && on && off']), []);
    assert.ok(holdsWhen(undefined, {}), 'without one it always holds');
  });

  it('is refused as far as this does not know what VS Code makes of it', () => {
    for (const clause of [
      '(on)',
      'on && (on)',
      'view != list',
      'view in list',
      'on on',
      'on &&',
      'item =~ list',
    ]) {
      assert.throws(() => holdsWhen(clause, keys), /A when clause/, clause);
    }
  });
});
