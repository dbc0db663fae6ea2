import assert from 'node:assert/strict';

import { isInterrupt, plainKeys, typedKeys } from '../../../src/terminal/index.js';

describe('Typed keys', () => {
  it('have their meaning in every encoding', () => {
    for (const [typed, meaning] of [
      ['\u001b[99;5u', '\u0003'],
      ['\u001b[99;133u', '\u0003'],
      ['\u001b[99;197:1u', '\u0003'],
      ['\u001b[99;5:2u', '\u0003'],
      ['\u001b[99;5:3u', ''],
      ['\u001b[99::99;5;3u', '\u0003'],
      ['\u001b[1089::99;5u', '\u0003'],
      ['\u001b[27;5;99~', '\u0003'],
      ['\u001b[27;5;92~', '\u001c'],
      ['\u001b[92;5u', '\u001c'],
      ['\u001b[57442;5u', ''],
      ['\u001b[13u', '\r'],
      ['\u001b[114;129u', 'r'],
      ['\u001b[114;;114u', 'r'],
    ] as const) {
      assert.equal(plainKeys(typed), meaning, JSON.stringify(typed));
    }
  });

  it('stay as they are otherwise', () => {
    for (const typed of [
      '',
      'ab\u0003',
      '\u001b[A',
      '\u001b[99;6u',
      '\u001b[99;7u',
      '\u001b[57399u',
      '\u001b[200~x\u001b[201~',
    ]) {
      assert.equal(plainKeys(typed), typed, JSON.stringify(typed));
    }
    assert.deepEqual(
      typedKeys('a\u001b[99;5ub').map(({ sent }) => sent),
      ['a', '\u001b[99;5u', 'b'],
    );
  });
});

describe('Ctrl-C', () => {
  it('is known in the forms that terminals send, also after other keys', () => {
    for (const typed of [
      '\u0003',
      'x\u0003',
      '\u0003\u0003',
      '\u001b[99;5u',
      '\u001b[27;5;99~',
      '\u001b[99;133:1u\u001b[99;133:3u',
    ]) {
      assert.equal(isInterrupt(typed), true, JSON.stringify(typed));
    }
  });

  it('is not another key, and not part of a paste', () => {
    for (const typed of ['', 'c', '\u0004', '\u001b[99;3u', '\u001b[100;5u', `\u0003${'x'.repeat(64)}`]) {
      assert.equal(isInterrupt(typed), false, JSON.stringify(typed));
    }
  });
});
