import assert from 'node:assert/strict';

import { LineInput, MAX_LINE_BYTES } from '../../../src/terminal/lineInput.js';

function setUp() {
  let echoed = '';
  const did: string[] = [];
  const input = new LineInput({
    echo: (text) => (echoed += text),
    line: (text) => did.push(text),
    endOfInput: () => did.push('<end>'),
    interrupt: () => did.push('<interrupt>'),
    lineFull: () => did.push('<full>'),
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
    assert.ok(echoed().startsWith('ax\b \b😀\b \b\b \bb\r\n'));
  });

  it('takes a paste of several lines, and no keys that have no meaning here', () => {
    const { input, did } = setUp();
    input.type('\u001b[200~one\r\ntwo\rthree\u001b[201~\u001b[A\u001bOP\r');
    assert.deepEqual(did, ['one\n', 'two\n', 'three\n']);
  });

  it('takes no answers of an emulator', () => {
    const { input, did } = setUp();
    input.type(
      '\u001b]10;rgb:cccc/cccc/cccc\u001b\\\u001b]11;rgb:0/0/0\u0007\u001bP1$r0m\u001b\\\u001b[?1;2cyes\r',
    );
    assert.deepEqual(did, ['yes\n']);
  });

  it('knows the ends: of input, and of patience', () => {
    const { input, did } = setUp();
    input.type('half\u0004\u0004');
    input.type('dropped\u0003\r');
    input.type('a\u001b[99;133u\u001b[99;133:3u\u001b[13u');
    assert.deepEqual(did, ['half', '<end>', '<interrupt>', '\n', '<interrupt>', '\n']);
  });

  it('erases as many cells as are shown', () => {
    const { input, did, echoed } = setUp();
    const erased = (text: string) => {
      input.type(text);
      const before = echoed().length;
      input.type('\u007f');
      const erasures = echoed().slice(before).split('\b \b').length - 1;
      input.type('\u0015');
      return erasures;
    };
    assert.deepEqual(['x', '日', '😀', 'ｱ', '한', 'e\u0301', '\t'].map(erased), [1, 2, 2, 1, 2, 1, 4]);
    input.type('a日e\u0301\u007f\u007fb\r');
    assert.equal(did.at(-1), 'ab\n', 'a mark goes with its letter');
    input.type('日本\t');
    const before = echoed().length;
    input.type('\u0015');
    assert.equal(echoed().slice(before), '\b \b'.repeat(8));
  });

  it('shows no control that would be a command to the terminal', () => {
    const { input, did, echoed } = setUp();
    input.type('a\u009b2Jb\r');
    assert.equal(echoed(), 'a2Jb\r\n');
    assert.deepEqual(did, ['a\u009b2Jb\n']);
  });

  it('takes a line as long as the input may be', () => {
    const { input, did } = setUp();
    input.type('x'.repeat(1_000_000));
    input.type('\r');
    assert.equal(did[0]?.length, 1_000_001);
  });

  it('bounds a line, says once that it does, and takes more once some of it is erased', () => {
    const { input, did, echoed } = setUp();
    input.type('x'.repeat(MAX_LINE_BYTES - 1));
    input.type('éy');
    input.type('z');
    assert.deepEqual(did, ['<full>']);
    assert.equal(echoed().length, MAX_LINE_BYTES - 1);
    input.type('\u007fabc\r');
    assert.deepEqual(did.slice(1), ['<full>', `${'x'.repeat(MAX_LINE_BYTES - 2)}ab\n`]);
    input.type('next\r');
    assert.equal(did[3], 'next\n');
  });
});
