import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import { offer, registerLanguageModelTools } from '../../../src/entry/agents.js';
import { AgentTool } from '../../../src/vscode/agents/agentTool.js';
import { useAgents } from './setup.js';

describe('agents', () => {
  const agents = useAgents();

  const tools = (): ReadonlyMap<string, AgentTool> => {
    const { agentTools, callPlace } = agents.fixture.services;
    return new Map(
      toolDefinitions.map((definition) => [
        definition.name,
        new AgentTool(definition, agentTools, callPlace),
      ]),
    );
  };

  it('are offered nothing by a VS Code that knows no such tools', () => {
    registerLanguageModelTools(tools(), {}).dispose();
    registerLanguageModelTools(tools(), { lm: {} }).dispose();
  });

  it('are offered nothing by a VS Code that refuses, which takes nothing else away', () => {
    let registered = 0;
    const registerTool = (name: string) => {
      if (name === 'wait_for') {
        throw new Error('not for you');
      }
      registered += 1;
      return new vscode.Disposable(() => (registered -= 1));
    };
    const logged: string[] = [];
    offer(
      () => registerLanguageModelTools(tools(), { lm: { registerTool } }),
      (line) => logged.push(line),
    ).dispose();
    assert.equal(registered, 0);
    assert.deepEqual(logged, ['Not offered to agents: not for you']);
  });
});
