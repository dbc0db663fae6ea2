import assert from 'node:assert/strict';
import { english, ExecError } from '../../../src/core/index.js';
import {
  checkFunction,
  checkInput,
  checkOptions,
  checkSize,
  checkText,
  checkToken,
  type ArgumentCheck,
} from '../../../src/sessions/options/apiArguments.js';
import { sessionErrorText } from '../../../src/sessions/words/errorText.js';

const problem = (check: ArgumentCheck) => check(english);

describe('arguments from others', () => {
  it('are text, functions and tokens', () => {
    assert.equal(problem(checkText('title', '')), undefined);
    assert.equal(problem(checkText('title', 5)), '"title" must be a string; it is 5.');
    assert.equal(problem(checkText('title', undefined)), '"title" must be a string; it is undefined.');
    assert.equal(problem(checkFunction('listener', () => 0)), undefined);
    assert.equal(problem(checkFunction('listener', null)), '"listener" must be a function; it is null.');
    assert.equal(problem(checkToken(undefined)), undefined);
    const token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
    assert.equal(problem(checkToken(token)), undefined);
    assert.equal(problem(checkToken('x')), '"token" must be a CancellationToken; it is "x".');
    assert.ok(problem(checkToken(null)));
  });

  it('are input only as text or bytes, and are never shown', () => {
    for (const data of ['', 'x', new Uint8Array(1), Buffer.from('x')]) {
      assert.equal(problem(checkInput('data', data)), undefined);
    }
    const names = [undefined, null, 5, ['hunter2'], new ArrayBuffer(1), new Uint16Array(1)].map(
      (data) => /it is (.*)\.$/.exec(problem(checkInput('data', data)) ?? '')?.[1],
    );
    assert.deepEqual(names, ['Undefined', 'Null', 'Number', 'Array', 'ArrayBuffer', 'Uint16Array']);
  });

  it('are options with what belongs in them', () => {
    const members = { afterSeq: 'whole', waitMs: 'amount', preserveFocus: 'flag' } as const;
    for (const options of [
      undefined,
      {},
      { afterSeq: 0, waitMs: 1.5, preserveFocus: true },
      { waitMs: 1e12 },
    ]) {
      assert.equal(problem(checkOptions(options, members)), undefined);
    }
    for (const [options, expected] of [
      [null, '"options" must be an object; it is null.'],
      [{ afterSeq: -1 }, '"afterSeq" must be a whole number that is not negative; it is -1.'],
      [{ afterSeq: 1.5 }, '"afterSeq" must be a whole number that is not negative; it is 1.5.'],
      [{ waitMs: NaN }, '"waitMs" must be a number that is not negative; it is NaN.'],
      [{ waitMs: '1' }, '"waitMs" must be a number that is not negative; it is "1".'],
      [{ preserveFocus: 1 }, '"preserveFocus" must be true or false; it is 1.'],
    ] as const) {
      assert.equal(problem(checkOptions(options, members)), expected);
    }
  });

  it('are sizes of two numbers', () => {
    assert.equal(problem(checkSize({ columns: 80, rows: 24 })), undefined);
    assert.equal(problem(checkSize(null)), '"size" must be an object; it is null.');
    assert.equal(problem(checkSize({ columns: 80 })), '"rows" must be a number; it is undefined.');
  });
});

describe('an error about a session', () => {
  it('names the session, not its process', () => {
    const text = (error: unknown) => sessionErrorText(error, 'npm test', english);
    assert.equal(
      text(new ExecError({ kind: 'noTerminal', processId: 'uuid' })),
      '"npm test" has no size: it runs without a terminal.',
    );
    assert.equal(
      text(new ExecError({ kind: 'writeFailed', processId: 'uuid' })),
      'Nothing can be written to "npm test": it takes no more input.',
    );
    assert.equal(
      text(new ExecError({ kind: 'unknownSignal', name: 'SIGX' })),
      'There is no signal called "SIGX" on this machine.',
    );
    assert.equal(text(new Error('other')), 'other');
  });
});
