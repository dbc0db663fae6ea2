import type { ToolName } from '../../../src/agent/tool.js';
import type { Job } from './job.js';

/** Calls as models guess them, and get them wrong. `SESSION` stands for a session that runs. */
const CALLS: readonly (readonly [ToolName, object])[] = [
  ['exec_command', {}],
  ['exec_command', { command: 'echo by another name' }],
  ['exec_command', { cmd: 'echo a', argv: ['echo', 'b'] }],
  ['exec_command', { cmd: '' }],
  ['exec_command', { argv: [] }],
  ['exec_command', { argv: 'echo one' }],
  ['exec_command', { cmd: 'pwd', cwd: '/' }],
  ['exec_command', { cmd: 'pwd', workdir: '/not/there' }],
  ['exec_command', { argv: ['no-such-program'] }],
  ['exec_command', { cmd: 'echo in a terminal', tty: 'true' }],
  ['exec_command', { cmd: 'true', environment: 'nowhere' }],
  ['exec_command', { cmd: 'echo now', yield_time_ms: '1000000' }],
  ['exec_command', { cmd: 'true', colour: 'red' }],
  ['exec_command', { cmd: 'true', max_output_tokens: 1 }],
  ['write_stdin', { session: 'SESSION' }],
  ['write_stdin', { session_id: 'SESSION', chars: 'to another name\n' }],
  ['write_stdin', { session: 999, chars: 'x' }],
  ['write_stdin', { chars: 'x' }],
  ['write_stdin', { session: 'SESSION', chars: '\u0004' }],
  ['write_stdin', { session: 'SESSION', keys: ['Dwon'] }],
  ['read_output', { session: 'SESSION', cursor: 0 }],
  ['read_output', { session: 'SESSION', cursor: 'end' }],
  ['read_output', { session: 'SESSION', cursor: '99999' }],
  ['read_output', { session: 'SESSION', search: '(' }],
  ['read_output', { session: 'SESSION', search: '(?=ahead)' }],
  ['read_output', { session: 'SESSION', mode: 'screen' }],
  ['read_output', { session: 'SESSION', tail: 1 }],
  ['wait_for', { session: 'SESSION', pattern: '[' }],
  ['wait_for', { session: 'SESSION', port: 70_000 }],
  ['wait_for', { session: 'SESSION', quiet_ms: 1, timeout: 5 }],
  ['send_signal', { session: 'SESSION', signal: 'TERMINATE' }],
  ['stop_session', { session: 'SESSION', pid: 1 }],
  ['stop_session', { sessions: ['SESSION'] }],
  ['list_sessions', { verbose: true }],
];

export const mistakes: readonly Job[] = [
  {
    name: '24-mistakes',
    title: `${CALLS.length} calls with a mistake`,
    run: async (play) => {
      const started = await play.call('exec_command', {
        argv: ['cat'],
        stdin: true,
        title: 'target',
        yield_time_ms: 0,
      });
      const session = started.structured['session'];
      for (const [name, input] of CALLS) {
        await play.call(
          name,
          JSON.parse(JSON.stringify(input).replaceAll('"SESSION"', String(session))) as object,
        );
      }
      await play.call('stop_session', { session, force: true });
    },
  },
];
