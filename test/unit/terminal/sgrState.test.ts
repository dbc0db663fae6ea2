import assert from 'node:assert/strict';

import { SgrState } from '../../../src/terminal/sgrState.js';

function after(...params: string[]): string {
  const state = new SgrState();
  params.forEach((param) => state.apply(param));
  return state.restore();
}

describe('SgrState', () => {
  it('remembers what is set', () => {
    assert.equal(after('1;31', '44'), '\u001b[1;31;44m');
    assert.equal(after('38;5;200;4', '48;2;1;2;3'), '\u001b[38;5;200;4;48;2;1;2;3m');
    assert.equal(after('38;2;9;9;0'), '\u001b[38;2;9;9;0m');
    assert.equal(after('38:2::1:2:3', '4:3'), '\u001b[38:2::1:2:3;4:3m');
  });

  it('forgets what is reset or replaced', () => {
    assert.equal(after('1;31', ''), '');
    assert.equal(after('1;31', '0;32'), '\u001b[32m');
    assert.equal(after('1;2;31;7', '22;39'), '\u001b[7m');
    assert.equal(after('31', '92'), '\u001b[92m');
    assert.equal(after('4:3', '4:0'), '');
  });

  it('stays small whatever comes', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `38;5;${index % 256};${index % 120}`);
    assert.ok(after(...many).length < 200);
  });
});
