import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { toolDefinitions } from '../../src/agent/definitions.js';
import type { ToolName } from '../../src/agent/tool.js';
import type { ExecSession, ExecSessionsApi } from '../../src/api/exec-sessions.js';
import { LazyAgentTools } from '../../src/vscode/agents/lazyAgentTools.js';
import {
  AgentTool,
  CHAT_AGENT,
  registerLanguageModelTools,
} from '../../src/vscode/agents/languageModelTools.js';
import { offer } from '../../src/vscode/agents/offerToAgents.js';
import type { Session } from '../../src/sessions/list/session.js';
import { CommandId } from '../../src/vscode/commands/commandIds.js';
import { textOf } from '../support/bytes.js';
import { until } from '../support/processes.js';
import { closeTerminals, extension, Fixture, outputOf, setSetting, untilOutput } from './fixture.js';

/** The answer of a tool of the installed extension, in the VS Code that the suite runs in. */
async function invoke(name: ToolName, input: object, token?: vscode.CancellationToken): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return result.content.map((part) => (part as vscode.LanguageModelTextPart).value).join('\n');
}

/** The number of the session that an answer is about. */
function numberIn(answer: string): number {
  const number = /^Session (\d+): /m.exec(answer)?.[1];
  assert.ok(number, answer);
  return Number(number);
}

describe('the tools of agents, as VS Code has them', () => {
  let api: ExecSessionsApi;

  before(async () => {
    api = (await extension().activate()) as ExecSessionsApi;
  });

  afterEach(async () => {
    await Promise.all(
      api.list().map(async (session) => {
        await session.kill();
        await until(() => session.info().state === 'closed');
        session.remove();
      }),
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
    await until(() => newest().info().state === 'closed');
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
    await until(async () => textOf((await shown.read()).chunks).includes('by the model'));
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

describe('agents', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(async () => {
    await fixture.dispose();
  });

  const call = async (name: ToolName, input: object, agent = 'Codex'): Promise<string> =>
    (await fixture.services.agentTools.call(name, input, { agent })).text;

  const startCat = async () => {
    const number = numberIn(await call('exec_command', { cmd: 'cat', tty: true, yield_time_ms: 0 }));
    const session = fixture.list.sessions.at(-1);
    assert.ok(session);
    return { number, session };
  };

  describe('what people are asked', () => {
    const prepare = (name: ToolName, input: object) => {
      const definition = toolDefinitions.find((one) => one.name === name);
      assert.ok(definition);
      const { agentTools, callPlace } = fixture.services;
      const prepared = new AgentTool(definition, agentTools, callPlace).prepareInvocation({ input });
      const shown = (text: string | vscode.MarkdownString | undefined) => {
        assert.ok(text instanceof vscode.MarkdownString);
        assert.ok(text.isTrusted === false && text.supportHtml === false);
        return text.value;
      };
      return {
        doing: shown(prepared.invocationMessage),
        title: prepared.confirmationMessages?.title,
        question: prepared.confirmationMessages ? shown(prepared.confirmationMessages.message) : '',
      };
    };

    it('shows the command in a block that it cannot leave, the directory and the environment', () => {
      const { doing, title, question } = prepare('exec_command', {
        cmd: 'echo "```"\n```\n[run](command:evil) \u202e',
        workdir: 'sub/dir',
        tty: true,
      });
      assert.equal(title, 'Run this command?');
      assert.ok(
        question.startsWith('````sh\necho "```"\n```\n[run](command:evil) \ufffd\n````\n\n'),
        question,
      );
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '?';
      const read = question.replace(/\\(.)/g, '$1');
      assert.ok(read.includes(`**Directory**: ${folder}/sub/dir  \n**Environment**: This machine`), read);
      assert.ok(read.includes('It runs in a terminal.'));
      assert.match(doing, /^Running echo .*\\\[run\\\]\\\(command\\:evil\\\)/);
    });

    it('shows an argument list as one', () => {
      const { question } = prepare('exec_command', { argv: ['ls', 'a b'], environment: 'no*where' });
      assert.ok(question.startsWith("```sh\nls 'a b'\n```"), question);
      assert.ok(question.includes('as this list of arguments, without a shell'));
      assert.ok(question.includes('**Environment**: no\\*where'));
    });

    it('shows what is typed, with what nobody would see, and into what', async () => {
      const { number } = await startCat();
      const { title, question } = prepare('write_stdin', {
        session: number,
        chars: 'a\u0003\r\u202e',
        close: true,
      });
      assert.equal(title, 'Type this into a session?');
      assert.equal(
        question,
        `\`\`\`json\n"a\\u0003\\r"\n"\\u202e"\n\`\`\`\n\n**Session**: session ${number}, cat\n\nThen its input is closed.`,
      );
      assert.equal(
        prepare('write_stdin', { session: number, close: true }).title,
        'Close the input of this session?',
      );
    });

    it('says before the command that not all of it can be seen at once', () => {
      const gap = ' '.repeat(300);
      const wide = prepare('exec_command', { cmd: `ls${gap}; rm -rf x` }).question;
      assert.ok(
        wide.startsWith('**Scroll to see all of it** (lines: 1, characters: 312).\n\n```sh\nls '),
        wide,
      );
      const high = prepare('exec_command', { argv: ['bash', '-c', `ls${'\n'.repeat(50)}rm -rf x`] }).question;
      assert.ok(high.startsWith('**Scroll to see all of it** (lines: 51, '), high);
      const typed = prepare('write_stdin', { session: 7, chars: `ls${gap}; rm -rf x\r` }).question;
      assert.ok(typed.startsWith('**Scroll to see all of it**'), typed);
      assert.ok(!prepare('exec_command', { cmd: 'npm test' }).question.includes('Scroll'));
    });

    it('shows a long script whole, and of what is far too long both ends and what is missing', () => {
      const script = 'echo something long\n'.repeat(3_000);
      assert.ok(prepare('exec_command', { cmd: script }).question.includes(script));
      for (const filler of ['x', '\n', '`', '\u{1f600}', '\u202e', '\u{e0041}']) {
        const cmd = `ls ${filler.repeat(200_000)}; rm -rf x`;
        for (const { question } of [
          prepare('exec_command', { cmd, workdir: `/${'deep/'.repeat(20_000)}` }),
          prepare('write_stdin', { session: 7, chars: cmd }),
        ]) {
          const start = question.slice(0, 200);
          assert.match(
            start,
            /^\*\*Too long to be shown whole\*\*: (?:140013|194013) of its 200013 characters are left out/,
          );
          assert.ok(question.includes('ls ') && question.includes('; rm -rf x'), start);
          assert.match(question.slice(-1_000), /\*\*(?:Environment|Session)\*\*/);
          assert.ok(question.length < 100_000, 'VS Code cuts what is longer');
        }
      }
    });

    it('names a session by what runs there, and not by the title that the model gave it', async () => {
      const answer = await call('exec_command', {
        argv: ['cat', '-'],
        title: 'harmless',
        tty: true,
        yield_time_ms: 0,
      });
      const { question } = prepare('write_stdin', { session: numberIn(answer), chars: 'x' });
      assert.ok(question.endsWith(`**Session**: session ${numberIn(answer)}, cat \\-`), question);
    });

    it('is whether to stop a session, or to send it a signal', () => {
      assert.match(prepare('stop_session', { session: 7 }).question, /session 7\n\nIt is ended step by step/);
      const kill = prepare('stop_session', { session: 7, force: true });
      assert.equal(kill.title, 'Kill this session?');
      assert.match(kill.question, /killed at once/);
      assert.match(
        prepare('send_signal', { session: 7, signal: 'SIGHUP' }).question,
        /SIGHUP.*\n.*session 7/,
      );
    });

    it('is nothing when an agent only looks', () => {
      for (const name of ['read_output', 'wait_for', 'list_sessions'] as const) {
        assert.equal(prepare(name, { session: 7 }).title, undefined);
      }
      assert.equal(prepare('write_stdin', { session: 7, chars: '' }).title, undefined);
    });

    it('bears whatever a model sends', () => {
      for (const { name } of toolDefinitions) {
        prepare(name, {
          cmd: 7,
          argv: [1],
          session: 'x',
          chars: {},
          signal: [],
          workdir: 1,
          environment: null,
        });
      }
    });
  });

  describe('their sessions', () => {
    it('are rows that say so', async () => {
      const { session } = await startCat();
      const row = () => fixture.services.tree.model.groups[0]?.rows[0];
      await until(() => row()?.description.startsWith('agent · pid ') === true);
      assert.match(row()?.contextValue ?? '', /;agentControlled;/);
      session.control?.giveTo('person');
      await until(() => row()?.description.startsWith('agent, you control · ') === true);
      assert.match(row()?.contextValue ?? '', /;taken;/);
    });

    /** Opens a terminal on a session that has printed `ready`, and collects the text that the terminal shows. */
    const watch = async (session: Session) => {
      const terminal = fixture.services.terminals.open(session);
      const shown = { terminal, text: '' };
      (terminal.creationOptions as vscode.ExtensionTerminalOptions).pty.onDidWrite(
        (text) => (shown.text += text),
      );
      await until(() => shown.text.includes('ready'));
      return shown;
    };

    const startScript = async (script: string): Promise<Session> => {
      await call('exec_command', { argv: ['bash', '-c', script], tty: true, yield_time_ms: 0 });
      const session = fixture.list.sessions.at(-1);
      assert.ok(session);
      return session;
    };

    it('are read-only in a terminal until a person takes control there', async () => {
      const session = await startScript('echo ready; exec cat');
      const shown = await watch(session);
      shown.terminal.sendText('too early');
      await until(() =>
        shown.text.includes('the agent Codex controls this session: what you type is not sent.'),
      );
      await fixture.commands[CommandId.takeControl](shown.terminal);
      shown.terminal.sendText('typed by a person');
      await untilOutput(session, 'typed by a person');
      assert.ok(!(await outputOf(session)).includes('too early'));
      await fixture.commands[CommandId.giveBackControl](shown.terminal);
      assert.equal(session.control?.controller, 'agent');
    });

    it('have a terminal that answers the program while nobody may type', async () => {
      const ask = String.raw`printf '\e[6n'; IFS= read -rsd R answer; printf 'answer:%q\n' "$answer"`;
      const session = await startScript(
        `trap 'asked=1' USR1; echo ready; until [ "$asked" ]; do sleep 0.1; done; ${ask}`,
      );
      await watch(session);
      await session.process.signal('SIGUSR1');
      await until(async () => /answer:\$'\\E\[\d+;1'/.test(await outputOf(session)));
    });

    it('take no text from commands, which offer to take control', async () => {
      const { session } = await startCat();
      fixture.user.buttons.push('Take Control');
      await fixture.commands[CommandId.sendText](session.id, undefined, 'not sent');
      const said = await fixture.user.hears(/Nothing was sent to "cat": the agent Codex controls it/);
      assert.deepEqual(said.actions, ['Take Control']);
      await until(() => session.control?.controller === 'person');
      await fixture.commands[CommandId.sendText](session.id, undefined, 'sent');
      await untilOutput(session, 'sent');
      assert.ok(!(await outputOf(session)).includes('not sent'));
      session.control?.giveTo('agent');
      await fixture.commands[CommandId.closeStandardInput](session.id);
      assert.equal(session.state, 'running');
      assert.equal(fixture.user.said.length, 2);
    });

    it('can always be stopped', async () => {
      const { session } = await startCat();
      await fixture.commands[CommandId.stop](session.id);
      assert.equal(session.ended, true);
      await fixture.commands[CommandId.takeControl](session.id);
      await fixture.user.hears(/"cat" is not running; there is nothing to take control of/);
    });

    it('tell nothing any more once agents are switched off, and go on', async () => {
      const { number, session } = await startCat();
      const waiting = call('wait_for', { session: number, exit: true, timeout_ms: 1_800_000 });
      const other = call('list_sessions', {});
      await setSetting('agents.enabled', false);
      try {
        fixture.services.agentTools.checkEnabled();
        assert.match(await waiting, /switched off/);
        await other;
        assert.equal(session.state, 'running');
      } finally {
        await setSetting('agents.enabled', undefined);
      }
      assert.match(await call('read_output', { session: number }), /^State: running$/m);
    });

    it('can be removed by a person while an agent waits for them', async () => {
      const { number, session } = await startCat();
      const waiting = call('wait_for', { session: number, closed: true });
      await fixture.services.list.sessions[0]?.process.signal('SIGKILL');
      await until(() => session.state === 'closed');
      await fixture.commands[CommandId.remove](session.id);
      assert.deepEqual(fixture.list.sessions, []);
      assert.match(await waiting, /SIGKILL/);
      const read = await call('read_output', { session: number });
      assert.match(read, /a person, or a limit, has taken it off the list/);
      assert.match(
        await call('write_stdin', { session: number, chars: 'x' }),
        /nothing was sent|off the list/i,
      );
      assert.match(await call('list_sessions', {}), new RegExp(`\\b${number}\\b.*cat`));
    });

    it('are read-only in every terminal, and open for typing in every terminal of whoever has control', async () => {
      const session = await startScript('echo ready; exec cat');
      const first = await watch(session);
      await fixture.commands[CommandId.openAnotherTerminal](session.id);
      await until(() => vscode.window.terminals.length === 2);
      const second = vscode.window.terminals.find((terminal) => terminal !== first.terminal);
      assert.ok(second);
      const shown = { text: '' };
      (second.creationOptions as vscode.ExtensionTerminalOptions).pty.onDidWrite(
        (text) => (shown.text += text),
      );
      first.terminal.sendText('refused one');
      second.sendText('refused two');
      await until(() =>
        [first, shown].every(({ text }) => text.includes('controls this session: what you type is not sent')),
      );
      session.control?.giveTo('person');
      second.sendText('typed in the second');
      await untilOutput(session, 'typed in the second');
      first.terminal.sendText('typed in the first');
      await untilOutput(session, 'typed in the first');
      assert.doesNotMatch(await outputOf(session), /refused/);
    });

    it('start nothing in a workspace that is not trusted, and nowhere that is not there', async () => {
      assert.match(await call('exec_command', { cmd: 'true', environment: 'nowhere' }), /nowhere/);
      assert.match(await call('exec_command', { cmd: 'true', workdir: '/no/such/place' }), /no\/such\/place/);
      fixture.trusted = false;
      assert.match(await call('exec_command', { cmd: 'true' }), /not trusted/);
      assert.deepEqual(fixture.list.sessions, []);
    });
  });

  describe('a program that asks for a secret', () => {
    it('calls a person, who types it where the agent does not see it', async () => {
      fixture.user.buttons.push('Take Control');
      const answer = await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; echo; echo "${#secret} characters"; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      assert.match(answer, /^State: waiting for a secret$/m);
      const [session] = fixture.list.sessions;
      assert.ok(session);
      const said = await fixture.user.hears(/waits for a secret, such as a password/);
      assert.deepEqual(said.actions, ['Take Control', 'Show']);
      await until(() => session.control?.controller === 'person');
      await until(() => vscode.window.activeTerminal !== undefined);
      const waiting = call('wait_for', {
        session: numberIn(answer),
        pattern: '\\d+ characters',
        timeout_ms: 15_000,
      });
      await session.process.write(new TextEncoder().encode('hunter2\r'));
      const seen = await waiting;
      assert.match(seen, /7 characters/);
      assert.doesNotMatch(seen, /hunter2/);
      assert.ok(!(await outputOf(session)).includes('hunter2'));
      await until(() => session.snapshot().waitsForPerson === undefined);
    });

    it('stays marked when its message is closed, also for the next prompt, and can be taken by the row', async () => {
      fixture.user.buttons.push(undefined);
      const answer = await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "One: " a; read -rsp "Two: " b; echo "${#a} and ${#b}"; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      const [session] = fixture.list.sessions;
      assert.ok(session);
      await fixture.user.hears(/waits for a secret/);
      assert.deepEqual([session.control?.controller, session.snapshot().waitsForPerson], ['agent', 'secret']);
      const refused = await call('write_stdin', { session: numberIn(answer), chars: 'guessed\r' });
      assert.match(refused, /Nothing was sent/);
      await fixture.commands[CommandId.takeControl](session.id);
      const type = (text: string) => session.process.write(new TextEncoder().encode(text));
      await type('hunter2\r');
      await untilOutput(session, 'Two: ');
      await type('correct horse\r');
      await untilOutput(session, '7 and 13');
      await until(() => session.snapshot().waitsForPerson === undefined);
      const seen = await call('read_output', { session: numberIn(answer), cursor: '0' });
      assert.doesNotMatch(seen + (await outputOf(session)), /hunter2|correct horse|guessed/);
    });

    it('leaves control where it is when its message is answered too late', async () => {
      let choose: ((action: string) => void) | undefined;
      fixture.user.info = (message) =>
        new Promise((resolve) => {
          assert.match(message, /waits for a secret/);
          choose = resolve;
        });
      await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; echo over; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      const [session] = fixture.list.sessions;
      assert.ok(session);
      await until(() => choose !== undefined);
      await session.process.write(new TextEncoder().encode('typed elsewhere\r'));
      await untilOutput(session, 'over');
      await until(() => session.snapshot().waitsForPerson === undefined);
      choose?.('Take Control');
      await until(() => vscode.window.terminals.length === 1);
      assert.equal(session.control?.controller, 'agent');
    });

    it('is marked in the tree while it waits', async () => {
      await call('exec_command', {
        argv: ['bash', '-c', 'read -rsp "Password: " secret; sleep 100'],
        tty: true,
        yield_time_ms: 15_000,
      });
      await until(
        () =>
          fixture.services.tree.model.groups[0]?.rows[0]?.description.startsWith(
            'agent · waits for a secret',
          ) === true,
      );
      assert.equal(fixture.services.tree.model.groups[0]?.rows[0]?.icon, 'key');
    });
  });

  it('are offered nothing by a VS Code that knows no such tools', () => {
    const { agentTools, callPlace } = fixture.services;
    registerLanguageModelTools(agentTools, callPlace, {}).dispose();
    registerLanguageModelTools(agentTools, callPlace, { lm: {} }).dispose();
  });

  it('are offered nothing by a VS Code that refuses, which takes nothing else away', () => {
    const { agentTools, callPlace } = fixture.services;
    let registered = 0;
    const registerTool = (name: string) => {
      if (name === 'wait_for') {
        throw new Error('not for you');
      }
      registered += 1;
      return new vscode.Disposable(() => (registered -= 1));
    };
    const log = vscode.window.createOutputChannel('Exec Sessions Suite', { log: true });
    offer(() => registerLanguageModelTools(agentTools, callPlace, { lm: { registerTool } }), log).dispose();
    assert.equal(registered, 0);
  });

  it('get an answer whatever they send', async () => {
    for (const input of [null, undefined, 7, [], 'x']) {
      const answer = await fixture.services.agentTools.call('exec_command', input, { agent: 'x' });
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
    const failed = await tools.call('wait_for', {}, { agent: 'x' });
    assert.match(failed.text, /could not be loaded: the disk is gone/);
    assert.equal(failed.isError, true);
    assert.equal((await tools.call('wait_for', {}, { agent: 'x' })).text, 'wait_for');
    await tools.call('list_sessions', {}, { agent: 'x' });
    assert.equal(loads, 2);
  });
});
