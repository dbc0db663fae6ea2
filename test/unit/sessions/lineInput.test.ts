import assert from 'node:assert/strict';

import { LineInput } from '../../../src/sessions/lineInput.js';

function setUp() {
  let echoed = '';
  const did: string[] = [];
  const input = new LineInput({
    echo: (text) => (echoed += text),
    line: (text) => did.push(text),
    endOfInput: () => did.push('<end>'),
    interrupt: () => did.push('<interrupt>'),
  });
  return { input, did, echoed: () => echoed };
}

describe('LineInput', () => {
  it('sends a line when it is complete, and shows it', () => {
    const { input, did, echoed } = setUp();
    input.type('he');
    assert.deepEqual(did, []);
    input.type('llo\r');
    assert.deepEqual(did, ['hello\n']);
    assert.equal(echoed(), 'hello\r\n');
  });

  it('lets a line be corrected', () => {
    const { input, did, echoed } = setUp();
    input.type('ax\u007f😀\u007fb\r');
    input.type('wrong\u0015right\r');
    assert.deepEqual(did, ['ab\n', 'right\n']);
    assert.ok(echoed().startsWith('ax\b \b😀\b \bb\r\n'));
  });

  it('takes a paste of several lines, and no keys that have no meaning here', () => {
    const { input, did } = setUp();
    input.type('\u001b[200~one\r\ntwo\rthree\u001b[201~\u001b[A\u001bOP\r');
    assert.deepEqual(did, ['one\n', 'two\n', 'three\n']);
  });

  it('knows the ends: of input, and of patience', () => {
    const { input, did } = setUp();
    input.type('half\u0004\u0004');
    input.type('dropped\u0003\r');
    assert.deepEqual(did, ['half', '<end>', '<interrupt>', '\n']);
  });

  it('bounds a line', () => {
    const { input, did } = setUp();
    input.type('x'.repeat(100_000));
    input.type('\r');
    assert.equal(did[0]?.length, 64 * 1024 + 1);
  });
});
