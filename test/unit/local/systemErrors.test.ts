import assert from 'node:assert/strict';
import { getSystemErrorMap } from 'node:util';

import { systemErrorNumber, systemErrorText, windowsErrorText } from '../../../src/local/systemErrors.js';

/** An error as Node makes it on this machine. */
function nodeError(name: string): Error {
  const [errno] = [...getSystemErrorMap()].find(([, [known]]) => known === name) ?? assert.fail(name);
  return Object.assign(new Error(`spawn x ${name}`), { errno, code: name });
}

describe('The text of a system error', () => {
  it('is what the system says, with its number', () => {
    assert.equal(systemErrorText(nodeError('E2BIG')), 'Argument list too long (os error 7)');
    assert.equal(systemErrorText(new Error('something else')), 'something else');
  });

  // The real server for Windows, run under Wine, answers with these numbers.
  const windows: readonly (readonly [name: string, number: number])[] = [
    ['ENOENT', 2],
    ['EACCES', 5],
    ['EPERM', 5],
    ['EISDIR', 5],
    ['EEXIST', 183],
    ['ENOTEMPTY', 145],
    ['ENOTDIR', 267],
    ['EFTYPE', 193],
    ['EXDEV', 17],
    ['EBUSY', 32],
    ['EINVAL', 87],
  ];
  for (const [name, number] of windows) {
    it(`has the number of Windows for ${name} there: ${number}`, () => {
      assert.equal(systemErrorNumber(name, 'win32'), number);
      assert.match(
        systemErrorText(nodeError(name), 'win32'),
        new RegExp(`^[A-Z].* \\(os error ${number}\\)$`),
      );
    });
  }

  it('never has a number of libuv', () => {
    for (const [errno, [name]] of getSystemErrorMap()) {
      for (const platform of ['win32', 'linux', 'darwin'] as const) {
        const text = systemErrorText(Object.assign(new Error(name), { errno }), platform);
        const number = Number(/\(os error (\d+)\)$/.exec(text)?.[1] ?? 0);
        assert.ok(number < 4_000, text);
      }
    }
  });

  it('says which number Windows gave', () => {
    assert.equal(windowsErrorText(2), 'No such file or directory (os error 2)');
    assert.equal(windowsErrorText(740), 'Windows refused (os error 740)');
  });
});
