import assert from 'node:assert/strict';

import { checkNul } from '../../../../src/core/index.js';

const START = { argv: ['printf', 'a'], arg0: 'b', cwd: '/', env: { NAME: 'value' } };

describe('A NUL character', () => {
  it('is nowhere in an ordinary start', () => {
    checkNul(START);
  });

  for (const [where, change] of [
    ['an argument', { argv: ['printf', 'a\0'] }],
    ['an argument', { arg0: '\0' }],
    ['the working directory', { cwd: '/\0' }],
    ['an environment variable', { env: { 'NAME\0': '' } }],
    ['an environment variable', { env: { NAME: '\0' } }],
  ] as const) {
    it(`is refused in ${JSON.stringify(change)}`, () => {
      assert.throws(() => checkNul({ ...START, ...change }), { failure: { kind: 'nulCharacter', where } });
    });
  }
});
