import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { serveMcpOverHttp } from '../../src/mcp/index.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { ownServer } from '../support/execServer.js';
import { mcpClients } from './mcpClients.js';
import type { Texts, ToolScript } from './scriptedModel.js';
import { useWorkspace } from './workspace.js';

const TOKEN = 'open-sesame';

const textOf = (texts: Texts, id: string) => texts.get(id) ?? assert.fail(`Nothing came back for ${id}.`);

const begun = (texts: Texts) => {
  const text = textOf(texts, 'begin');
  return Number(/Session (\d+): /.exec(text)?.[1] ?? assert.fail(text));
};

/** A model that lists, starts a program that asks a person for a secret, waits for it, types into it and stops it. */
const script: ToolScript = [
  () => ({ id: 'before', tool: 'list_sessions', args: {} }),
  () => ({
    id: 'begin',
    tool: 'exec_command',
    args: {
      cmd: `pwd; stty -echo; printf 'Password: '; read -r word; sleep 1000`,
      tty: true,
      yield_time_ms: 0,
    },
  }),
  (texts) => ({ id: 'wait', tool: 'wait_for', args: { session: begun(texts), pattern: 'Password: ' } }),
  (texts) => ({ id: 'type', tool: 'write_stdin', args: { session: begun(texts), chars: 'guess\r' } }),
  (texts) => ({ id: 'stop', tool: 'stop_session', args: { session: begun(texts) } }),
  () => ({ id: 'after', tool: 'list_sessions', args: {} }),
];

function assertPlayed(texts: Texts, folder: string): void {
  assert.match(textOf(texts, 'before'), /^(?:Output:)?0 sessions of yours, 0 running\.$/m);
  assert.match(textOf(texts, 'begin'), /^State: running$/m);
  assert.match(textOf(texts, 'wait'), /^Condition: pattern met /m);
  assert.match(`${textOf(texts, 'begin')}\n${textOf(texts, 'wait')}`, new RegExp(`^${folder}$`, 'm'));
  const refusal =
    /Nothing was sent to session \d+\. The program is waiting for a secret, and nobody can be asked/;
  assert.match(textOf(texts, 'type'), refusal);
  assert.match(textOf(texts, 'stop'), /^Stop: interrupted; it has ended$/m);
  assert.match(textOf(texts, 'after'), /^(?:Output:)?1 session of yours, 0 running\.$/m);
  assert.match(textOf(texts, 'after'), /ended by SIGINT/);
}

for (const client of mcpClients.flatMap((each) => ifProgram(each.program, each))) {
  describe(`The real client ${client.program} with our tools`, () => {
    const workspace = useWorkspace();

    before(async function () {
      this.timeout(600_000);
      await ensureProgram(client.program);
    });

    for (const [title, option] of [
      ['alone', ['--alone']],
      ['with a session server', []],
    ] as const) {
      it(`lists, starts, waits, learns that a person is asked, and stops, through exec-server mcp ${title}`, async () => {
        const place = {
          command: process.execPath,
          args: [ownServer, 'mcp', ...option, '--cwd', workspace.folder],
          // A server of its own, which ends with the client, as all that it has started.
          env: { XDG_RUNTIME_DIR: workspace.folder },
        };
        const texts = await client.run({ place, cwd: workspace.folder, script });
        assertPlayed(texts, workspace.folder);
        assert.doesNotMatch(textOf(texts, 'after'), /end with this program/);
        assert.equal(fs.existsSync(path.join(workspace.folder, 'exec-sessions')), option.length === 0);
      });
    }

    it('does the same through the server on the web, and is called by its name', async () => {
      const backend = new LocalBackend();
      const environment = { id: 'local', label: 'this machine', backend, cwd: workspace.folder };
      const tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
      const server = await serveMcpOverHttp({ tools, token: TOKEN, port: 0, version: '1.2.3' });
      try {
        const place = { url: server.url, token: TOKEN };
        assertPlayed(await client.run({ place, cwd: workspace.folder, script }), workspace.folder);
        const agent = { id: 'else', name: 'somebody else' };
        assert.match((await tools.call('list_sessions', { all: true }, { agent })).text, client.name);
      } finally {
        await server.dispose();
        tools.dispose();
        await backend.shutdown();
      }
    });
  });
}
