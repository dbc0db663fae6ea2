import assert from 'node:assert/strict';

import { createAgentTools } from '../../../../src/agent/index.js';
import { backendHost } from '../../../../src/agent/backendHost.js';
import type { AgentHost } from '../../../../src/agent/host.js';
import {
  directoryThere,
  type HostInfo,
  launchRequest,
  type StartParams,
} from '../../../../src/core/index.js';
import { Environments } from '../../../../src/sessions/environments/environments.js';
import { residentPlace } from '../../../support/residentPlace.js';
import { LOCAL_ID } from '../../../../src/sessions/list/environment.js';
import { SessionList } from '../../../../src/sessions/list/sessionList.js';
import { VscodeAgentHost } from '../../../../src/vscode/agents/vscodeAgentHost.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';

const HOST_ENV = { PATH: '/bin', PAGER: 'less', TERM_PROGRAM: 'vscode', VSCODE_PID: '1' };
const FOLDER = '/work';

function backendOn(host: HostInfo): ScriptedBackend {
  return new ScriptedBackend(new FakeClock(), { host });
}

/** The extension's host, as the chat and the extension's MCP server have it. */
function inVscode(backend: ScriptedBackend, shell: string): AgentHost {
  const list = new SessionList();
  const local = { id: LOCAL_ID, label: 'This machine', backend };
  const { host } = backend;
  return new VscodeAgentHost({
    list,
    environments: new Environments({
      local: residentPlace(local),
      connectTo: () => Promise.reject(new Error('There is no other machine.')),
      connected: () => undefined,
    }),
    // In place of SessionStarter, which asks VS Code for these facts and its workspace for trust.
    starter: {
      start: (start, origin) =>
        list.start(
          local,
          launchRequest(
            { ...start, cwd: directoryThere([start.cwd, FOLDER], host) ?? assert.fail(), origin },
            {
              host,
              shell: { shell, arguments: [] },
              hostEnv: HOST_ENV,
              vscodeVersion: '1.106.0',
              size: { columns: 200, rows: 50 },
            },
          ),
        ),
    },
    stopper: { stop: () => assert.fail() },
    folders: { first: undefined },
    calls: { call: () => assert.fail() },
    catchUp: () => Promise.resolve(),
    inWords: (error) => (error instanceof Error ? error : new Error(String(error))),
  });
}

/** The host of `exec-server mcp`. */
function withoutVscode(backend: ScriptedBackend, shell: string): AgentHost {
  return backendHost({
    environments: [{ id: LOCAL_ID, label: 'this machine', backend, cwd: FOLDER, shell, hostEnv: HOST_ENV }],
  });
}

/** The request that the backend gets for a call, without the parts that are never the same. */
async function startOf(
  host: AgentHost,
  backend: ScriptedBackend,
  input: object,
): Promise<Partial<StartParams>> {
  const tools = createAgentTools({ host });
  const reply = await tools.call(
    'exec_command',
    { yield_time_ms: 0, ...input },
    { agent: { id: 'c', name: 'Claude' } },
  );
  tools.dispose();
  assert.equal(reply.isError, false, reply.text);
  const { processId, metadata, ...params } = backend.processes.at(-1)?.params ?? assert.fail();
  assert.ok(processId);
  const { sessionId, folder, ...shown } = metadata ?? {};
  assert.equal(folder, undefined);
  assert.ok(sessionId === undefined || sessionId === processId);
  // How long it is kept is a matter of the place.
  return { ...params, owned: true, metadata: shown };
}

describe('the same call of an agent', () => {
  for (const [platform, shell] of [
    ['linux', '/bin/bash'],
    ['darwin', '/bin/zsh'],
    ['win32', 'pwsh.exe'],
  ] as const) {
    for (const input of [
      { cmd: 'git log', tty: true },
      { cmd: 'git log' },
      { cmd: 'cat', stdin: true, workdir: '../other/./here', title: ' Cat ' },
      { cmd: 'ls', workdir: '~/project', title: ' ' },
      { argv: ['echo', 'a b'], tty: true, stdin: true, workdir: '/tmp/' },
    ]) {
      it(`starts the same through VS Code and without it, on ${platform}: ${JSON.stringify(input)}`, async () => {
        const host = { platform, homeDir: platform === 'win32' ? 'C:\\Users\\me' : '/home/me' };
        const [one, other] = [backendOn(host), backendOn(host)];
        const inside = await startOf(inVscode(one, shell), one, input);
        assert.deepEqual(inside, await startOf(withoutVscode(other, shell), other, input));
        assert.equal(inside.env?.['PAGER'], 'cat');
      });
    }
  }
});
