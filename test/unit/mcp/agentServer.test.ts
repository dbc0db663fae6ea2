import assert from 'node:assert/strict';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import { instructionsFor } from '../../../src/mcp/introduction.js';

describe('The text for models about the tools', () => {
  it('names every tool, and none that is not there', () => {
    const text = instructionsFor({ definitions: toolDefinitions }) ?? assert.fail();
    const named = new Set(text.match(/\b[a-z]+_[a-z]+\b/g));
    // This is a parameter, but looks like a tool.
    named.delete('yield_time');
    const names = toolDefinitions.map(({ name }) => name).filter((name) => name !== 'send_signal');
    assert.deepEqual([...named].sort(), [...names].sort());
    assert.ok(text.length < 1_600);
    // Codex shows its model no more than the first line.
    assert.match(text, /^Runs commands as sessions .* Prefer it to your own shell tool for .*\n/);
  });

  it('is nothing if these are other tools', () => {
    assert.equal(instructionsFor({ definitions: [] }), undefined);
  });
});
