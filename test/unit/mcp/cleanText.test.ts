import assert from 'node:assert/strict';

import fc from 'fast-check';

import { clientNameOf } from '../../../src/mcp/cleanText.js';

describe('The name of an MCP client', () => {
  for (const [info, name] of [
    [{ name: 'claude-code', version: '2' }, 'claude-code'],
    [{ name: 'some-mcp-client', title: 'Some Client' }, 'Some Client'],
    [{ name: 'some-mcp-client', title: ' ' }, 'some-mcp-client'],
    [{ name: 'some-mcp-client', title: 3 }, 'some-mcp-client'],
    [{ name: ' Visual Studio Code ' }, 'Visual Studio Code'],
    [{ name: 'two\r\nlines\u001b[31m' }, 'two lines [31m'],
    [{ name: 'r\u202etl' }, 'r tl'],
    [{ name: 'x'.repeat(61) }, `${'x'.repeat(59)}…`],
    [{ name: '😀'.repeat(61) }, `${'😀'.repeat(59)}…`],
    [{ name: 'Claude\ufe0f\u200d' }, 'Claude'],
    [{ name: '\u200d' }, 'MCP client'],
    [{ name: '' }, 'MCP client'],
    [{ name: ' \n\u0000' }, 'MCP client'],
    [{ name: 3 }, 'MCP client'],
    [{}, 'MCP client'],
    [undefined, 'MCP client'],
    [null, 'MCP client'],
    ['codex', 'MCP client'],
  ] as const) {
    it(`of ${JSON.stringify({ info }).slice(0, 40)} is ${name.slice(0, 20)}`, () => {
      assert.equal(clientNameOf(info), name);
    });
  }

  it('is always one line that can be shown @property', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const name = clientNameOf({ name: text });
        assert.match(name, /^[^\p{C}\s]([^\p{C}]*[^\p{C}\s])?$/u);
        assert.ok(Array.from(name).length <= 60);
        // Nothing changes if it is cleaned again.
        assert.equal(clientNameOf({ name }), name);
      }),
    );
  });
});
