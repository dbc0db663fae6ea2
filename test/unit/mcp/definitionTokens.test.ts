import assert from 'node:assert/strict';

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import { instructionsFor } from '../../../src/mcp/introduction.js';

/** Every request of a model carries all of this, so it is counted with the tokenizer of a real model, not estimated. */
describe('The size of the text about the tools, in tokens of o200k', () => {
  let tokenizer: Tiktoken;
  before(() => {
    tokenizer = new Tiktoken(o200k);
  });
  const tokensOf = (text: string) => tokenizer.encode(text).length;

  it('is less than 2,900 for the definitions together', () => {
    const counts = toolDefinitions.map(
      ({ name, description, inputSchema }) =>
        [name, tokensOf(`${name}\n${description}\n${JSON.stringify(inputSchema)}`)] as const,
    );
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    assert.ok(sum < 2_900, `${sum}: ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}`);
  });

  it('is less than 320 for the instructions, and 70 for their first line', () => {
    const instructions = instructionsFor({ definitions: toolDefinitions }) ?? assert.fail();
    const [first = ''] = instructions.split('\n');
    assert.ok(tokensOf(instructions) < 320, String(tokensOf(instructions)));
    assert.ok(tokensOf(first) < 70, String(tokensOf(first)));
  });
});
