import assert from 'node:assert/strict';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { LocalBackend } from '../../src/local/index.js';
import type { ServedTools } from '../../src/mcp/index.js';
import { ifProgram } from '../rig/npmPrograms.js';
import { type Results, runConformance } from './conformanceSuite.js';

/** The checks of the scenarios that apply to our server. All of them must pass. */
const APPLIES: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': ['server-initialize'],
  'ping': ['ping'],
  'tools-list': ['tools-list'],
  'server-sse-multiple-streams': ['server-accepts-multiple-post-streams', 'server-sse-streams-functional'],
  'dns-rebinding-protection': ['localhost-host-rebinding-rejected', 'localhost-host-valid-accepted'],
};

/** The reasons why the others do not apply. No check can pass in them. */
const DOES_NOT_APPLY: Readonly<Record<string, readonly string[]>> = {
  'it calls a tool that servers have for this suite alone': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    // It calls one in a revision of the protocol whose streams do not begin with an event. That cut streams are resumed
    // is tested in test/mcp/http/resume.test.ts.
    'server-sse-polling',
  ],
  'our server sends no messages of a log': ['logging-set-level', 'tools-call-with-logging'],
  'our server completes no arguments, since it has no prompts and resources': ['completion-complete'],
  'our server has no resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'our server has no prompts': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
};

for (const program of ifProgram('conformance', 'conformance' as const)) {
  describe('The official conformance suite of MCP', () => {
    let results: Results;

    before(async () => {
      results = await runConformance(program, agentTools, [['--suite', 'all']]);
    });

    it('has no scenario that we have not judged', () => {
      const judged = [...Object.keys(APPLIES), ...Object.values(DOES_NOT_APPLY).flat()];
      assert.deepEqual([...results.keys()].sort(), judged.sort());
    });

    for (const [scenario, checks] of Object.entries(APPLIES)) {
      it(`is passed: ${scenario}`, () => {
        assert.deepEqual(
          (results.get(scenario) ?? []).map(({ id, status, errorMessage }) => [id, status, errorMessage]),
          checks.map((id) => [id, 'SUCCESS', undefined]),
        );
      });
    }

    for (const [why, scenarios] of Object.entries(DOES_NOT_APPLY)) {
      it(`does not apply where ${why}`, () => {
        for (const scenario of scenarios) {
          const passed = (results.get(scenario) ?? []).filter(({ status }) => status === 'SUCCESS');
          assert.deepEqual(passed, [], scenario);
        }
      });
    }
  });
}

/** The tools of agents, in a folder. */
function agentTools(cwd: string): ServedTools & { dispose(): Promise<void> } {
  const backend = new LocalBackend();
  const environment = { id: 'local', label: 'this machine', backend, cwd };
  const tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
  return {
    definitions: tools.definitions,
    call: (...call) => tools.call(...call),
    dispose: async () => {
      tools.dispose();
      await backend.shutdown();
    },
  };
}
