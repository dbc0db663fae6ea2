import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { LazyAgentTools } from '../../../src/vscode/agents/lazyAgentTools.js';
import { useAgents } from './setup.js';

describe('agents', () => {
  const agents = useAgents();

  it('get an answer whatever they send', async () => {
    for (const input of [null, undefined, 7, [], 'x']) {
      const answer = await agents.fixture.services.agentTools.call('exec_command', input, {
        agent: { id: 'x', name: 'x' },
      });
      assert.equal(answer.isError, true);
    }
  });

  it('get tools that could not be loaded once with the next call', async () => {
    let loads = 0;
    const tools = new LazyAgentTools({
      enabled: () => true,
      log: vscode.window.createOutputChannel('Exec Sessions Suite', { log: true }),
      load: () => {
        loads += 1;
        return loads === 1
          ? Promise.reject(new Error('the disk is gone'))
          : Promise.resolve({
              definitions: [],
              call: (name) => Promise.resolve({ text: name, structured: {}, isError: false }),
              dispose: () => undefined,
            });
      },
    });
    const failed = await tools.call('wait_for', {}, { agent: { id: 'x', name: 'x' } });
    assert.match(failed.text, /could not be loaded: the disk is gone/);
    assert.equal(failed.isError, true);
    assert.equal((await tools.call('wait_for', {}, { agent: { id: 'x', name: 'x' } })).text, 'wait_for');
    await tools.call('list_sessions', {}, { agent: { id: 'x', name: 'x' } });
    assert.equal(loads, 2);
  });
});
