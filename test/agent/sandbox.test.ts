import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { type AgentTools, backendHost, createAgentTools } from '../../src/agent/index.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { describeOnLinux } from '../support/onLinux.js';
import { PATH } from '../support/startParams.js';
import { until } from '../support/until.js';

describeOnLinux('Commands of agents in a sandbox', () => {
  const machine = useMachine();
  let tools: AgentTools;
  beforeEach(async () => {
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const cwd = path.join(machine.folder, 'home');
    tools = createAgentTools({
      host: backendHost({
        environments: [
          { id: 'here', label: 'here', backend, cwd, shell: '/bin/bash', env: { PATH }, shared: true },
        ],
      }),
    });
  });
  afterEach(() => tools.dispose());

  const call = (name: Parameters<AgentTools['call']>[0], input: object, agent = 'tester') =>
    tools.call(name, input, { agent: { id: agent, name: agent } });

  it('write to their directory, and say what was refused, to every agent', async () => {
    const outside = fs.mkdtempSync('/var/tmp/es-agent-');
    try {
      const cmd = `echo in > in; echo out > ${outside}/out`;
      const { text, structured } = await call('exec_command', { cmd, sandbox: true, separate_stderr: true });
      const refusal = `refused by the sandbox: ${outside}/out is read-only`;
      assert.match(text, new RegExp(`^State: exited with code 1 \\(${refusal}\\)$`, 'm'));
      assert.match(text, /^Sandbox: writes to home, no network$/m);
      assert.deepEqual(structured['refused'], { file: `${outside}/out` });
      assert.equal(fs.readFileSync(path.join(machine.folder, 'home/in'), 'utf8'), 'in\n');
      const list = await call('list_sessions', { all: true }, 'another');
      assert.ok(list.text.includes(refusal) && list.text.includes('sandbox: writes to home, no network'));
      const more = await call('exec_command', { cmd, sandbox: { write: [outside] } });
      assert.match(more.text, /^State: exited with code 0$/m);
      await until(() => fs.readdirSync(outside).join(), 'out');
    } finally {
      fs.rmSync(outside, { recursive: true });
    }
  });
});
