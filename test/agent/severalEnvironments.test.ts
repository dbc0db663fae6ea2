import assert from 'node:assert/strict';

import { type AgentTools, backendHost, createAgentTools } from '../../src/agent/index.js';
import { systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';

describe('exec_command in several environments', () => {
  let backends: LocalBackend[];
  let tools: AgentTools;

  beforeEach(() => {
    backends = [0, 1, 2].map(() => new LocalBackend({ clock: systemClock }));
    tools = createAgentTools({
      host: backendHost({
        environments: backends.map((backend, index) => ({
          id: `web-${index}`,
          label: `Web ${index}`,
          backend,
          shell: '/bin/sh',
          cwd: '/',
          env: { NUMBER: String(index) },
        })),
      }),
    });
  });

  afterEach(async () => {
    tools.dispose();
    await Promise.all(backends.map((backend) => backend.shutdown()));
  });

  const call = (input: object) =>
    tools.call('exec_command', input, { agent: { id: 'tester', name: 'tester' } });

  it('answers with a session, its state and its output for each, and counts them', async () => {
    const { text, structured, isError } = await call({
      cmd: 'echo number $NUMBER; exit $NUMBER',
      environments: ['web-0', 'web-1', 'web-2', 'web-1'],
    });
    assert.equal(isError, false);
    assert.match(text, /^1 of 3 exit 0, 2 failed\n/);
    assert.match(text, /web-0, Session \d+: exited with code 0\nnumber 0\n/);
    assert.match(text, /web-2, Session \d+: exited with code 2\nnumber 2/);
    const sessions = structured['sessions'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      sessions.map(({ environment, exitCode }) => [environment, exitCode]),
      [
        ['web-0', 0],
        ['web-1', 1],
        ['web-2', 2],
      ],
    );
  });

  it('leaves those that go on in the background, where they are the sessions of the agent', async () => {
    const { text, structured } = await call({
      cmd: 'test $NUMBER = 1 && exec sleep 1000; echo done',
      environments: ['web-0', 'web-1'],
      yield_time_ms: 1_000,
    });
    assert.match(text, /^1 of 2 exit 0, 1 running\n/);
    const [, second] = structured['sessions'] as readonly { readonly session: number }[];
    const stopped = await tools.call(
      'stop_session',
      { session: second?.session },
      { agent: { id: 'tester', name: 'tester' } },
    );
    assert.equal(stopped.isError, false, stopped.text);
  });

  it('starts nothing where one of them is unknown, or with environment too', async () => {
    const unknown = await call({ cmd: 'echo x', environments: ['web-0', 'nowhere'] });
    assert.match(unknown.text, /no environment nowhere\. There are: web-0, web-1, web-2/);
    const both = await call({ cmd: 'echo x', environment: 'web-0', environments: ['web-0'] });
    assert.match(both.text, /either "environment" or "environments"/);
    const listed = await Promise.all(backends.map((backend) => backend.list()));
    assert.deepEqual(listed.flat(), []);
  });

  it('says for each why it was not started', async () => {
    const { text, isError } = await call({ argv: ['/no/such/program'], environments: ['web-0', 'web-1'] });
    assert.match(text, /^0 of 2 exit 0, 2 failed\n/m);
    assert.match(text, /web-0: not started: .*\/no\/such\/program/);
    assert.equal(isError, true);
  });
});
