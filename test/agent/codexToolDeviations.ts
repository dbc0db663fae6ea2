import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { LONG_BUILD } from './tools/output.js';
import { freePort } from '../support/freePort.js';
import { until } from '../support/until.js';
import { untilPrinted, type ToolsFixture } from './toolsSetup.js';

/** A known deviation of the tools on a server. */
export interface ToolDeviation {
  /** The title of the test. */
  readonly test: string;
  readonly reason: string;
  /** Asserts the behaviour on this server, in place of the test. */
  readonly instead: (fixture: ToolsFixture) => Promise<void>;
}

const BLIND =
  'this server can only interrupt and kill, and does not tell which processes the command has left behind';
const LOOP = 'echo ready; while :; do sleep 0.02; done';

/** The deviations on `codex exec-server` 0.171.0. */
export const codexToolDeviations: readonly ToolDeviation[] = [
  {
    test: 'a command that a signal has ended is told as that',
    reason: 'it does not name the signal: 143 could be what the program returned, so we do not guess',
    instead: async ({ call }) => {
      const reply = await call('exec_command', { cmd: 'kill -TERM $$' });
      // On a busy machine its server may tell later that the output has ended.
      assert.match(reply.line('State'), /^exited with code 143(?:, output still open)?$/);
      assert.equal(reply.structured['signal'], undefined);
    },
  },
  {
    test: 'a terminal has the size that was asked for',
    reason: 'the wire has nothing to ask for it with, which is said',
    instead: async ({ call }) => {
      const reply = await call('exec_command', { cmd: 'stty size', tty: true, columns: 132 });
      assert.match(
        reply.text,
        /^Warning: the terminal has 80 columns and 24 rows: that machine's server gives no other size\./,
      );
      assert.equal(reply.output, '24 80\n');
    },
  },
  {
    test: 'both outputs share a pipe, so that they come in order, unless they are to be separate',
    reason: 'the wire has nothing to ask for it with',
    instead: async ({ call }) => {
      const same = '[ "$(readlink /proc/$$/fd/1)" = "$(readlink /proc/$$/fd/2)" ] && echo one || echo two';
      assert.equal((await call('exec_command', { cmd: same })).output, 'two\n');
    },
  },
  {
    test: 'a note on output that is gone by now says so, and what it promises is there',
    reason: 'it lets output go before it has sent it, so that the notes have gaps as well',
    instead: async ({ call }) => {
      const reply = await call('exec_command', { cmd: LONG_BUILD, yield_time_ms: 50_000 });
      const promised = [...reply.output.matchAll(/read_output cursor="(\d+)" has about the last/g)];
      assert.match(reply.output, /left out.*(?:they are|the rest is) gone/);
      for (const [, cursor = ''] of promised) {
        const there = await call('read_output', { session: 1, cursor, max_output_tokens: 256 });
        assert.match(there.output, /^[^[]*\d+: a line of a long build/);
      }
    },
  },
  {
    test: 'input can be closed',
    reason: 'the wire has nothing to close it with',
    instead: async ({ call, start }) => {
      const session = await start({ argv: ['cat'], stdin: true });
      const reply = await call('write_stdin', { session, chars: 'all\n', close: true });
      assert.equal(reply.isError, true);
      assert.match(reply.text, /^Nothing was sent: the machine of Session 1 \(cat\) cannot close the input/);
      // The error advises a terminal, which has a key for this.
      const terminal = await start({ argv: ['cat'], tty: true });
      await call('write_stdin', { session: terminal, chars: 'all\n' });
      const ended = await call('write_stdin', { session: terminal, close: true, yield_time_ms: 55_000 });
      assert.equal(ended.line('State'), 'exited with code 0');
      assert.equal((await call('read_output', { session })).output, '');
    },
  },
  {
    test: 'a session is stopped with everything that it has started',
    reason: 'which descendants there were and whether one is left cannot be known, and that is said',
    instead: async (fixture) => {
      const { call, start } = fixture;
      // This is no loop of short commands: bash counts an interrupt as handled if the command ends by itself at that
      // moment.
      const session = await start({ cmd: 'echo ready; exec sleep 100' });
      await untilPrinted(fixture, session, 'ready');
      const reply = await call('stop_session', { session });
      assert.equal(reply.line('Stop'), `interrupted; it has ended; ${BLIND}`);
      assert.deepEqual([reply.structured['exited'], reply.structured['survivorsKnown']], [true, false]);
      assert.equal(
        (await call('stop_session', { session })).line('Stop'),
        `the command itself had ended already; ${BLIND}`,
      );
    },
  },
  {
    test: 'what does not want to end is killed, at once if that is asked for',
    reason: 'it does not name the signal, and there are only interrupt and kill',
    instead: async (fixture) => {
      const { call, start } = fixture;
      const session = await start({ cmd: `trap 'echo no' INT HUP TERM; ${LOOP}` });
      await untilPrinted(fixture, session, 'ready');
      const reply = await call('stop_session', { session, force: true });
      assert.equal(reply.line('Stop'), `killed; it has ended; ${BLIND}`);
      assert.equal(reply.line('State'), 'exited with code 137 (stopped by tester)');
      assert.equal((await call('read_output', { session, cursor: '0' })).output, 'ready\n');
    },
  },
  ...[
    'a process that a command has left behind is named in each answer, and ended by its number alone',
    'a stop names what goes on, and never says that nothing runs while it does',
    'what holds the output of an ended command open is named',
  ].map((test) => ({
    test,
    reason: 'what is left cannot be known, and that is said',
    instead: async ({ call, folder }: ToolsFixture) => {
      const cmd =
        'setsid -f sh -c "until [ -e over ]; do sleep 0.02; done; touch gone" </dev/null >/dev/null 2>&1';
      const reply = await call('exec_command', { cmd, yield_time_ms: 50_000 });
      assert.equal(reply.line('State'), 'exited with code 0');
      const stopped = await call('stop_session', { session: 1 });
      assert.equal(stopped.line('Stop'), `the command itself had ended already; ${BLIND}`);
      await call('exec_command', { argv: ['touch', 'over'] });
      // Without its folder it would look for ever.
      await until(() => existsSync(path.join(folder, 'gone')));
    },
  })),
  {
    test: 'signals reach the command',
    reason: 'there are only interrupt and kill',
    instead: async (fixture) => {
      const { call, start } = fixture;
      const session = await start({ cmd: `trap 'echo caught' INT; ${LOOP}` });
      await untilPrinted(fixture, session, 'ready');
      const refused = await call('send_signal', { session, signal: 'SIGUSR1' });
      assert.equal(refused.isError, true);
      assert.match(
        refused.text,
        /^SIGUSR1 was not sent: .* takes only SIGINT, SIGKILL\. stop_session ends it\.$/,
      );
      const sent = await call('send_signal', { session, signal: 'SIGINT' });
      assert.deepEqual(
        [sent.line('Signal'), sent.line('State')],
        ['SIGINT was sent; it has not ended', 'running'],
      );
      await untilPrinted(fixture, session, 'caught');
      const killed = await call('send_signal', { session, signal: 'SIGKILL' });
      assert.equal(killed.line('State'), 'exited with code 137');
    },
  },
  ...[
    'a secret that a shell asks for is left to people',
    'a secret that a script asks for is left to people',
    'a secret that Python asks for is left to people',
    'a secret that a shell command asks for is found by the call that typed the command',
  ].map((test) => ({
    test,
    reason: 'how a terminal takes input cannot be asked, which is said once and not guessed',
    instead: async (fixture: ToolsFixture) => {
      const { call } = fixture;
      const cmd = `read -s -p 'Password: ' secret; echo "it has \${#secret} characters"`;
      const reply = await call('exec_command', { cmd, tty: true, yield_time_ms: 0 });
      assert.match(
        reply.text,
        /^Warning: it cannot be detected here whether a program waits for a password\. /,
      );
      await untilPrinted(fixture, 1, 'Password:');
      const waited = await call('wait_for', { session: 1, quiet_ms: 1_000 });
      assert.deepEqual([waited.structured['met'], waited.line('State')], [['quiet_ms'], 'running']);
      assert.doesNotMatch(waited.text, /Warning/);
    },
  })),
  ...[
    'waiting for a port finds a server that comes up, and names it',
    'a port that somebody else had before does not count, and is told whose it is',
    'a port that somebody else has since the start counts, and is told whose it is',
    'a port that a daemon publishes for a command counts if it was not published before',
    'a port of another session is told with its number',
  ].map((test) => ({
    test,
    reason: 'only a list of the sockets can be read, which does not tell whose they are',
    instead: async ({ call, start }: ToolsFixture) => {
      const port = await freePort();
      const session = await start({
        argv: ['python3', '-m', 'http.server', '--bind', '127.0.0.1', `${port}`],
      });
      const reply = await call('wait_for', { session, port });
      assert.equal(
        reply.line('Condition'),
        `port met: ${port} is listened on (this machine does not tell who listens)`,
      );
      const none = await call('wait_for', { session, port: await freePort(), timeout_ms: 10 });
      assert.match(none.line('Condition'), /^none met within [^;]*; wait again/);
    },
  })),
];
