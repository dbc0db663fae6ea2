import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';

import { isOsError, makeOsError, osErrorAnswer } from '../../../src/server/methods/osErrors.js';

describe('Errors of the operating system', () => {
  const answers: readonly (readonly [code: string, answer: number, text: string])[] = [
    ['ENOENT', -32004, 'No such file or directory (os error 2)'],
    ['EACCES', -32600, 'Permission denied (os error 13)'],
    ['EPERM', -32600, 'Operation not permitted (os error 1)'],
    ['EINVAL', -32600, 'Invalid argument (os error 22)'],
    ['EEXIST', -32603, 'File exists (os error 17)'],
    ['EXDEV', -32603, 'Cross-device link (os error 18)'],
  ];
  for (const [code, answer, text] of answers) {
    it(`${code} is ${answer}`, () => {
      const { code: actual, message } = osErrorAnswer(makeOsError(code));
      assert.deepEqual([actual, message], [answer, text]);
    });
  }

  it('that are not in the table have the words of Node', () => {
    const error = Object.assign(new Error('EPROTO: protocol error, open'), { code: 'EPROTO', errno: -71 });
    assert.equal(osErrorAnswer(error).message, 'Protocol error (os error 71)');
  });

  it('are told from others', () => {
    const error = caught(() => mkdirSync('/'));
    assert.ok(isOsError(error) && isOsError(error, 'EEXIST') && !isOsError(error, 'ENOENT'));
    assert.ok(!isOsError(caught(() => Buffer.alloc(-1))));
    assert.ok(!isOsError(new Error('no code')));
  });

  function caught(run: () => unknown): unknown {
    try {
      run();
    } catch (error) {
      return error;
    }
    return assert.fail('It should have failed.');
  }
});
