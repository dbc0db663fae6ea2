import assert from 'node:assert/strict';

import { builtFiles, useMachine } from '../server/machine/machineFixture.js';
import { runLine } from './cliFixture.js';

describe('exec-sessions in a directory that has been removed', () => {
  const machine = useMachine();
  const runThere = (line: string) => runLine(machine, `mkdir gone; cd gone; rmdir ../gone; ${line}`);

  it('starts a server and lists, starts elsewhere, and stops', async () => {
    const { stdout, stderr, code } = await runThere(
      'exec-sessions run --cwd / -- pwd && id=$(exec-sessions run --cwd / --detach -- sleep 1000) && exec-sessions stop $id && exec-sessions --version',
    );
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    assert.match(stdout, /^\/\nsleep 1000: stopped .*\n\d+\.\d+\.\d+\n$/);
  });

  it('names the directory to a command that would start there', async () => {
    const { stderr, code } = await runThere('exec-sessions run -- echo hi');
    assert.equal(code, 125);
    assert.equal(
      stderr,
      `exec-sessions: There is no directory ${machine.folder}/gone. Give another one with --cwd.\n`,
    );
  });

  it('lets exec-server mcp answer', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { stdout } = await runThere(
      `echo '${request}' | '${process.execPath}' '${builtFiles}/exec-server.js' mcp`,
    );
    assert.match(stdout, /"serverInfo"/);
  });
});
