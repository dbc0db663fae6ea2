import assert from 'node:assert/strict';

import type { ToolName } from '../../../src/agent/tool.js';
import { Fixture } from '../fixture.js';

/** The number of the session that an answer is about. */
export function numberIn(answer: string): number {
  const number = /^Session (\d+): /m.exec(answer)?.[1];
  assert.ok(number, answer);
  return Number(number);
}

/** The services of a fresh extension for each test, and its tools in the name of an agent. */
export function useAgents() {
  let current: Fixture | undefined;

  beforeEach(() => {
    current = new Fixture();
  });

  afterEach(async () => {
    await current?.dispose();
  });

  const fixture = (): Fixture => current ?? assert.fail('There is a fixture in tests alone.');

  const call = async (name: ToolName, input: object, agent = 'Codex'): Promise<string> =>
    (await fixture().services.agentTools.call(name, input, { agent: { id: agent, name: agent } })).text;

  const startCat = async () => {
    const number = numberIn(await call('exec_command', { cmd: 'cat', tty: true, yield_time_ms: 0 }));
    const session = fixture().list.sessions.at(-1);
    assert.ok(session);
    return { number, session };
  };

  return {
    get fixture(): Fixture {
      return fixture();
    },
    call,
    startCat,
  };
}
