import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { parseVariableInput, variableInput } from '../../../src/sessions/options/index.js';

describe('Variables as a person types them', () => {
  const read = (text: string) => {
    const parsed = parseVariableInput(text, english);
    return parsed.ok ? parsed.value : parsed.message;
  };

  it('have values with and without quotes', () => {
    assert.deepEqual(read(''), {});
    assert.deepEqual(read(` DEBUG=1  TITLE="two words" PATH='a "b"' EMPTY= URL=a=b `), {
      DEBUG: '1',
      TITLE: 'two words',
      PATH: 'a "b"',
      EMPTY: '',
      URL: 'a=b',
    });
  });

  it('are refused if they are not variables', () => {
    for (const text of ['DEBUG', '=1', 'A=1 B', 'A="open', 'A="x"y']) {
      const message = read(text);
      assert.ok(typeof message === 'string' && message.startsWith('Write variables as NAME=value'), text);
    }
  });

  it('are written as they are read', () => {
    const variables = { A: '1', B: 'two words', C: '', D: 'say "x"' };
    assert.deepEqual(read(variableInput(variables)), variables);
  });
});
