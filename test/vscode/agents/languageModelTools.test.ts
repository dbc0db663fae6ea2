import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import type { ToolName } from '../../../src/agent/tool.js';
import type { ExecSession, ExecSessionsApi } from '../../../src/api/exec-sessions.js';
import { CHAT_AGENT } from '../../../src/vscode/agents/agentTool.js';
import { CommandId } from '../../../src/vscode/commands/commandIds.js';
import { textOf } from '../../support/bytes.js';
import { until } from '../../support/until.js';
import { closeTerminals, extension, setSetting } from '../fixture.js';
import { numberIn } from './setup.js';

/** The answer of a tool of the installed extension, in the VS Code that the suite runs in. */
async function invoke(name: ToolName, input: object, token?: vscode.CancellationToken): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return result.content.map((part) => (part as vscode.LanguageModelTextPart).value).join('\n');
}

describe('the tools of agents, as VS Code has them', () => {
  let api: ExecSessionsApi;

  before(async () => {
    api = (await extension().activate()) as ExecSessionsApi;
  });

  afterEach(async () => {
    // One at a time, in the present state: a session of earlier tests may still be on its way out, or gone by now.
    await until(
      async () => {
        const [session] = api.list();
        if (session?.info().state === 'closed') {
          session.remove();
        } else {
          await session?.kill().catch(() => undefined);
        }
        return api.list().map((one) => one.info());
      },
      (seen) => seen.length === 0,
    );
    await closeTerminals();
  });

  const newest = (): ExecSession => {
    const session = api.list().at(-1);
    assert.ok(session);
    return session;
  };

  it('are there, each with what a model is told of it', () => {
    for (const { name, description, inputSchema } of toolDefinitions) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.equal(tool?.description, description);
      assert.deepEqual(tool.inputSchema, inputSchema);
    }
  });

  it('start a command, and people see it with who started it', async () => {
    const answer = await invoke('exec_command', {
      cmd: 'echo hello; sleep 100',
      title: 'a nap',
      yield_time_ms: 0,
    });
    assert.match(answer, /^State: running$/m);
    const session = newest();
    const { startedBy, controller, title, tty, commandLine } = session.info();
    assert.deepEqual(startedBy, { kind: 'agent', name: CHAT_AGENT });
    assert.deepEqual(
      [controller, title, tty, commandLine],
      ['agent', 'a nap', false, 'echo hello; sleep 100'],
    );
    assert.equal(vscode.window.terminals.length, 0, 'no terminal opens by itself');
  });

  it('answer with how a command ended, and what it wrote', async () => {
    const answer = await invoke('exec_command', {
      argv: ['bash', '-c', 'echo out; echo "$TERM $NO_COLOR $PAGER"; exit 3'],
    });
    assert.match(answer, /^State: exited with code 3$/m);
    assert.match(answer, /^out\ndumb 1 cat$/m);
  });

  it('start a command on a terminal without a pager', async () => {
    const answer = await invoke('exec_command', { cmd: 'echo "$TERM $PAGER $GIT_PAGER"', tty: true });
    assert.match(answer, /^xterm-256color cat cat$/m);
  });

  it('type, wait, read, list, signal and stop', async () => {
    const started = await invoke('exec_command', { cmd: 'cat', tty: true, yield_time_ms: 0 });
    const session = numberIn(started);
    await invoke('write_stdin', { session, chars: 'typed by a model\r' });
    const waited = await invoke('wait_for', { session, pattern: 'typed by a model' });
    assert.match(waited, /typed by a model/);
    assert.match(await invoke('read_output', { session, cursor: '0' }), /typed by a model/);
    assert.match(await invoke('list_sessions', {}), new RegExp(`\\b${session}\\b.*cat`));
    await invoke('send_signal', { session, signal: 'SIGWINCH' });
    assert.equal(newest().info().state, 'running');
    const stopped = await invoke('stop_session', { session });
    assert.match(stopped, /^State: ended by SIGINT/m);
    await until(() => newest().info().state, 'closed');
  });

  it('are told when a person stops a session', async () => {
    const session = numberIn(await invoke('exec_command', { cmd: 'sleep 600', yield_time_ms: 0 }));
    const waiting = invoke('wait_for', { session, exit: true });
    await vscode.commands.executeCommand(CommandId.stop, newest().id);
    assert.match(await waiting, /^Warning: A person has stopped session \d+ \(sleep 600\)\.$/m);
  });

  it('cannot type while a person has control, and are told of it and of the end of it', async () => {
    const session = numberIn(await invoke('exec_command', { cmd: 'cat', tty: true, yield_time_ms: 0 }));
    const shown = newest();
    await vscode.commands.executeCommand(CommandId.takeControl, shown.id);
    assert.equal(shown.info().controller, 'person');
    const refused = await invoke('write_stdin', { session, chars: 'by the model\r' });
    assert.match(refused, /person has taken control/i);
    await shown.write('by a person\r');
    const read = await invoke('wait_for', { session, pattern: 'by a person' });
    assert.doesNotMatch(read, /by the model/);
    await vscode.commands.executeCommand(CommandId.giveBackControl, shown.id);
    assert.equal(shown.info().controller, 'agent');
    const back = await invoke('write_stdin', { session, chars: 'by the model\r', yield_time_ms: 500 });
    assert.match(back, /given control back/);
    await until(
      async () => textOf((await shown.read()).chunks),
      (seen) => seen.includes('by the model'),
    );
  });

  it('go on when the call is cancelled', async () => {
    const session = numberIn(await invoke('exec_command', { cmd: 'sleep 100', yield_time_ms: 0 }));
    const source = new vscode.CancellationTokenSource();
    const call = invoke('wait_for', { session, exit: true }, source.token);
    source.cancel();
    await call.catch(() => undefined);
    assert.equal(newest().info().state, 'running');
  });

  it('can be switched off', async () => {
    await setSetting('agents.enabled', false);
    try {
      assert.match(
        await invoke('exec_command', { cmd: 'true' }),
        /switched off .*execSessions\.agents\.enabled/,
      );
      assert.deepEqual(api.list(), []);
    } finally {
      await setSetting('agents.enabled', undefined);
    }
  });
});
