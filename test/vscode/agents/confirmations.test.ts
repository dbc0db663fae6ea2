import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import type { ToolName } from '../../../src/agent/tool.js';
import { AgentTool } from '../../../src/vscode/agents/agentTool.js';
import { numberIn, useAgents } from './setup.js';

describe('agents', () => {
  const agents = useAgents();
  const { call, startCat } = agents;

  describe('what people are asked', () => {
    const prepare = (name: ToolName, input: object) => {
      const definition = toolDefinitions.find((one) => one.name === name);
      assert.ok(definition);
      const { agentTools, callPlace } = agents.fixture.services;
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
      assert.ok(question.endsWith('\n\n````sh\necho "```"\n```\n[run](command:evil) \ufffd\n````'), question);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '?';
      const read = question.replace(/\\(.)/g, '$1');
      assert.ok(read.includes(`**Directory**: ${folder}/sub/dir  \n**Environment**: This machine`), read);
      assert.ok(read.includes('It runs in a terminal.'));
      assert.match(doing, /^Running echo .*\\\[run\\\]\\\(command\\:evil\\\)/);
    });

    it('shows what the tool will do, whatever a model calls it', () => {
      const { doing, question } = prepare('exec_command', { command: 'make all', cwd: '/tmp', tty: 'true' });
      assert.ok(question.endsWith('\n\n```sh\nmake all\n```'), question);
      assert.ok(question.includes('**Directory**: \\/tmp ') && question.includes('in a terminal'), question);
      assert.equal(doing, 'Running make all');
      assert.ok(prepare('stop_session', { session_id: '7', kill: 'true' }).question.includes('session 7'));
    });

    it('shows the variables that a command gets, and whether its shell reads the profile', () => {
      const env = { TOKEN: "it's secret", LD_PRELOAD: '/x.so', PAGER: null };
      const { question } = prepare('exec_command', { cmd: 'make', env, login: true });
      const lines = ["export TOKEN='it'\\''s secret'", 'export LD_PRELOAD=/x.so', 'unset PAGER', 'make'];
      assert.ok(question.endsWith(`\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\``), question);
      assert.ok(question.includes('login shell'), question);
    });

    it('shows an argument list as one', () => {
      const { question } = prepare('exec_command', { argv: ['ls', 'a b'], environment: 'no*where' });
      assert.ok(question.endsWith("\n\n```sh\nls 'a b'\n```"), question);
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
        `**Session**: session ${number}, cat  \nIts input is closed afterwards.\n\n\`\`\`json\n"a\\u0003\\r"\n"\\u202e"\n\`\`\``,
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
        wide.includes('\n\n**Scroll to see all of it** (lines: 1, characters: 312).\n\n```sh\nls '),
        wide,
      );
      const high = prepare('exec_command', { argv: ['bash', '-c', `ls${'\n'.repeat(50)}rm -rf x`] }).question;
      assert.ok(high.includes('\n\n**Scroll to see all of it** (lines: 51, '), high);
      const typed = prepare('write_stdin', { session: 7, chars: `ls${gap}; rm -rf x\r` }).question;
      assert.ok(typed.includes('\n\n**Scroll to see all of it**'), typed);
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
          const start = question.slice(0, 1_000);
          assert.match(
            start,
            /^\*\*Too long to be shown whole\*\*: (?:140013|194013) of its 200013 characters are left out/m,
          );
          assert.ok(question.includes('ls ') && question.includes('; rm -rf x'), start);
          assert.match(
            question,
            /```\n\n…\n\n```/,
            'what is left out has a place of its own in plain text too',
          );
          assert.match(start, /^\*\*(?:Environment|Session)\*\*/m);
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
      assert.ok(question.startsWith(`**Session**: session ${numberIn(answer)}, cat \\-\n\n`), question);
    });

    it('is whether to stop a session, or to send it a signal', () => {
      assert.match(prepare('stop_session', { session: 7 }).question, /session 7\n\nIt is ended step by step/);
      const kill = prepare('stop_session', { session: 7, force: true });
      assert.equal(kill.title, 'Kill this session?');
      assert.match(kill.question, /killed at once/);
      const one = prepare('stop_session', { session: 7, pid: 4711 });
      assert.equal(one.title, 'End this process?');
      assert.match(one.question, /4711.*Nothing else is ended\..*\n.*session 7/);
      assert.match(
        prepare('send_signal', { session: 7, signal: 'SIGHUP' }).question,
        /SIGHUP.*\n.*session 7/,
      );
    });

    it("comes before a command, text, a stop and a signal (SECURITY.md: Agents in VS Code's chat)", () => {
      const input = { cmd: 'true', session: 7, chars: 'x', signal: 'SIGHUP' };
      const asked = toolDefinitions
        .map(({ name }) => name)
        .filter((name) => prepare(name, input).question !== '');
      assert.deepEqual(
        new Set(asked),
        new Set(['exec_command', 'write_stdin', 'stop_session', 'send_signal']),
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
});
