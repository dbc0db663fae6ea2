import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { killIfThere } from '../support/killIfThere.js';
import { describeOnPosix } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { type McpProgram, useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

const CAT = { argv: ['cat'], stdin: true, yield_time_ms: 0 };

describeOnPosix('exec-server mcp with the session server of its machine', () => {
  const programs = useMcpPrograms();

  describe('an agent that comes back', () => {
    const ECHO = { cmd: 'while read line; do echo "got $line"; done', stdin: true, yield_time_ms: 0 };
    const said = (client: McpProgram['client'], session: number, word: string) =>
      callTool(client, 'write_stdin', { session, chars: `${word}\n` });

    /** Starts a session, and has it say a word. */
    const begin = async () => {
      const program = await programs.start({ joins: true });
      const { session } = await callTool(program.client, 'exec_command', ECHO);
      await said(program.client, session, 'one');
      await callTool(program.client, 'wait_for', { session, pattern: 'got one' });
      return { ...program, session };
    };
    const gone = (pid: number) => until(async () => !(await isRunning(pid)));
    const list = async ({ client }: McpProgram, input = {}) =>
      (await callTool(client, 'list_sessions', input)).text;

    for (const [how, tag, leave] of [
      ['has left', ' @all', async ({ client }: McpProgram) => client.close()],
      ['was killed', '', ({ pid }: McpProgram) => process.kill(pid, 'SIGKILL')],
    ] as const) {
      it(`finds what it had when it ${how}, under the same number and where it was${tag}`, async () => {
        const first = await begin();
        const { session } = first;
        // Its cursor is noted a moment after the answer.
        const window = await programs.connect();
        await until(async () => (await window.backend.list())[0]?.metadata['cursors'] !== undefined);
        await leave(first);
        await gone(first.pid);
        const second = await programs.start({ joins: true });
        await until(
          () => list(second),
          (seen) => seen.includes('left by agents that have gone'),
        );
        assert.match(
          await list(second),
          new RegExp(
            `^0 sessions of yours, 0 running\\.\n1 session left by .*\nSession ${session}: while .* left by tester .* ago$`,
            'm',
          ),
        );
        const typed = await said(second.client, session, 'two');
        assert.match(
          typed.text,
          new RegExp(`session ${session} \\(.*\\) was left by tester .* ago, and is yours now`),
        );
        await callTool(second.client, 'wait_for', { session, pattern: 'got two' });
        const { output } = await callTool(second.client, 'read_output', { session, cursor: '0' });
        assert.match(output, /got one\ngot two/);
        assert.doesNotMatch(typed.text, /got one/);
        assert.match(await list(second), /^1 session of yours, 1 running\.\nSession/);
        const { session: next } = await callTool(second.client, 'exec_command', CAT);
        assert.notEqual(next, session);
      });
    }

    it('reads all output if it has another name', async () => {
      const first = await begin();
      await first.client.close();
      await gone(first.pid);
      const other = await programs.start({ joins: true, name: 'somebody else' });
      await until(
        () => list(other),
        (seen) => seen.includes('left by tester'),
      );
      const { output, text } = await callTool(other.client, 'read_output', { session: first.session });
      assert.match(output, /got one/);
      assert.match(text, /was left by tester .* ago, and is yours now/);
    });

    it('finds what has ended meanwhile, and how', async () => {
      const first = await begin();
      await first.client.close();
      await gone(first.pid);
      const window = await programs.connect();
      const [info] = await window.backend.list();
      const held = await window.backend.attach(info?.processId ?? '');
      await held.describe({ endedBy: { kind: 'person' } });
      await held.stop();
      const second = await programs.start({ joins: true });
      await until(
        () => list(second),
        (seen) => seen.includes('left by tester'),
      );
      assert.match(
        await list(second),
        new RegExp(`^Session ${first.session}: .*stopped by a person.*left by`, 'm'),
      );
      const read = await callTool(second.client, 'read_output', { session: first.session, cursor: '0' });
      assert.match(read.output, /^got one$/m);
    });

    it('is shown what runs anywhere, and of what has ended only that of its folder', async () => {
      const other = path.join(programs.folder, 'other');
      fs.mkdirSync(other);
      const elsewhere = await programs.start({ joins: true, args: ['--cwd', other] });
      const there = [
        await callTool(elsewhere.client, 'exec_command', { argv: ['true'] }),
        await callTool(elsewhere.client, 'exec_command', { ...CAT }),
      ].map(({ session }) => session);
      const here = await programs.start({ joins: true });
      const { session } = await callTool(here.client, 'exec_command', { argv: ['true'] });
      await Promise.all([elsewhere, here].map(({ client }) => client.close()));
      const { client } = await programs.start({ joins: true });
      const shown = async (input: object) => {
        const { text } = await callTool(client, 'list_sessions', { ...input });
        return [...text.matchAll(/^Session (\d+): /gm)].map(([, number]) => Number(number)).sort();
      };
      await until(
        () => shown({}),
        (seen) => seen.join() === [there[1], session].sort().join(),
      );
      const { text } = await callTool(client, 'list_sessions');
      assert.match(text, /^1 session of other agents, 0 running: all=true lists them\.$/m);
      assert.deepEqual(await shown({ all: true }), [...there, session].sort());
    });

    it('is told what an ended session has left running, and ends that', async () => {
      const first = await programs.start({ joins: true });
      const leaves = { cmd: 'setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $!' };
      const { session, output } = await callTool(first.client, 'exec_command', leaves);
      const pid = Number(output);
      try {
        await first.client.close();
        await gone(first.pid);
        const second = await programs.start({ joins: true });
        const left = `exited with code 0; 1 process that it started still runs: sleep (pid ${pid})`;
        await until(
          () => list(second),
          (seen) => seen.includes(left),
        );
        const stopped = await callTool(second.client, 'stop_session', { session, pid });
        assert.match(
          stopped.text,
          new RegExp(`^Stop: sleep \\(pid ${pid}\\): told to terminate; it has ended`, 'm'),
        );
        assert.doesNotMatch(await list(second), /still runs/);
      } finally {
        killIfThere(pid);
      }
    });

    it('is told who has stopped it, and when a person has control', async () => {
      const [one, two] = [await begin(), await programs.start({ joins: true, name: 'other' })];
      const { session } = one;
      assert.match(await list(two, { all: true }), new RegExp(`^Session ${session}: .* of tester$`, 'm'));
      const window = await programs.connect();
      const [info] = await window.backend.list();
      const held = await window.backend.attach(info?.processId ?? '');
      await held.describe({ controller: 'person' });
      await until(
        () => list(one),
        (seen) => seen.includes('a person has control'),
      );
      const refused = await said(one.client, session, 'no');
      assert.match(refused.text, /^Nothing was sent: a person has control/m);
      await callTool(two.client, 'stop_session', { session });
      await until(
        () => list(one),
        (seen) => seen.includes('0 running'),
      );
      assert.match(await list(one), /stopped by other/);
    });
  });
});
