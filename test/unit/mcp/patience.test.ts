import assert from 'node:assert/strict';

import { patienceOf } from '../../../src/mcp/patience.js';

describe('The time that a client waits for an answer', () => {
  const known = [
    ['claude-code', '2.1.330', 86_400_000],
    ['claude-code', '2.2.0', 86_400_000],
    ['codex-mcp-client', '0.171.0', 285_000],
    ['codex-mcp-client', '1.0.0', 285_000],
    ['gemini-cli-mcp-client', '0.61.0', 585_000],
  ] as const;
  for (const [name, version, longestMs] of known) {
    it(`is ${longestMs} ms for ${name} ${version}`, () => {
      assert.equal(patienceOf({ name, version, title: 'Any' }), longestMs);
    });
  }

  const unknown = [
    { name: 'claude-code', version: '2.1.99' },
    { name: 'codex-mcp-client', version: '0.170.9' },
    { name: 'gemini-cli-mcp-client', version: '' },
    { name: 'gemini-cli-mcp-client' },
    { name: 'claude-code', version: 3 },
    { name: 'toString', version: '9.9.9' },
    { name: 'other', title: 'claude-code', version: '9.9.9' },
    { version: '9.9.9' },
    'claude-code',
    null,
    undefined,
  ];
  for (const info of unknown) {
    it(`is not known for ${JSON.stringify(info)}`, () => {
      assert.equal(patienceOf(info), undefined);
    });
  }
});
