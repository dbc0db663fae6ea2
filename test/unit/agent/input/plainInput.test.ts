import assert from 'node:assert/strict';

import { checkToolInput } from '../../../../src/agent/input/checkToolInput.js';
import { toolDefinitions } from '../../../../src/agent/definitions.js';
import { INPUT_ALIASES } from '../../../../src/agent/input/inputAliases.js';
import { inputProperties, plainInput } from '../../../../src/agent/input/plainInput.js';
import type { ToolName } from '../../../../src/agent/tool.js';

/** Inputs as models send them, as they are read, and the words that models are told. */
const TAKEN: readonly (readonly [ToolName, object, object, ...string[]])[] = [
  // Other types.
  ['read_output', { session: '3' }, { session: 3 }],
  ['read_output', { session: 'Session 3' }, { session: 3 }],
  ['read_output', { session: '#3', cursor: 3 }, { session: 3, cursor: '3' }],
  ['read_output', { session: 1, cursor: ' "17+5" ' }, { session: 1, cursor: '17+5' }],
  ['read_output', { session: 1, cursor: 'Cursor: 17+5' }, { session: 1, cursor: '17+5' }],
  ['read_output', { session: 1, tail: '50', mode: 'Plain' }, { session: 1, tail: 50, mode: 'plain' }],
  ['wait_for', { session: 1, port: '8080', exit: 'true' }, { session: 1, port: 8_080, exit: true }],
  ['exec_command', { cmd: 'a', tty: 'False', login: 1 }, { cmd: 'a', tty: false, login: true }],
  ['exec_command', { argv: '["ls", "-l"]' }, { argv: ['ls', '-l'] }],
  ['exec_command', { argv: ['sleep', 5] }, { argv: ['sleep', '5'] }],
  [
    'exec_command',
    { cmd: 'a', env: { N: 1, B: true, X: null } },
    { cmd: 'a', env: { N: '1', B: 'true', X: null } },
  ],
  ['exec_command', { cmd: 'a', env: '{"N": "1"}' }, { cmd: 'a', env: { N: '1' } }],
  ['write_stdin', { session: 1, chars: 5 }, { session: 1, chars: '5' }],
  ['write_stdin', { session: 1, key: 'Enter' }, { session: 1, keys: ['Enter'] }],
  ['send_signal', { session: 1, signal: 'TERM' }, { session: 1, signal: 'SIGTERM' }],
  ['send_signal', { session: 1, signal: 'sigusr1' }, { session: 1, signal: 'SIGUSR1' }],
  ['send_signal', { session: 1, signal: 9 }, { session: 1, signal: 'SIGKILL' }],
  // Nothing in place of what is left out.
  ['exec_command', { cmd: 'a', argv: [], workdir: '', tty: null }, { cmd: 'a' }],
  ['read_output', { session: 1, cursor: '' }, { session: 1 }],
  // Other names.
  ['exec_command', { command: 'ls', cwd: '/x' }, { cmd: 'ls', workdir: '/x' }],
  ['exec_command', { command: ['ls', '-l'] }, { argv: ['ls', '-l'] }],
  ['exec_command', { cmd: 'a', description: 'Lists' }, { cmd: 'a', title: 'Lists' }],
  ['exec_command', { cmd: 'a', environment: 'build' }, { cmd: 'a', environment: 'build' }],
  ['exec_command', { cmd: 'a', pty: true, cols: 100 }, { cmd: 'a', tty: true, columns: 100 }],
  ['write_stdin', { session_id: 2, input: 'x\n' }, { session: 2, chars: 'x\n' }],
  ['write_stdin', { session: 2, session_id: '2', chars: '' }, { session: 2, chars: '' }],
  ['read_output', { id: 2, regex: 'x', since: '3' }, { session: 2, search: 'x', cursor: '3' }],
  ['read_output', { session: 2, lines: 20 }, { session: 2, tail: 20 }],
  ['wait_for', { session: 2, regex: 'x', since: 3 }, { session: 2, pattern: 'x', from: '3' }],
  ['wait_for', { session_ids: ['2', 3] }, { sessions: [2, 3] }],
  ['wait_for', { sessions: 2 }, { sessions: [2] }],
  ['stop_session', { session_id: 2, kill: true }, { session: 2, force: true }],
  // A value that may have been meant otherwise is named.
  [
    'exec_command',
    { cmd: 'a', timeout_ms: 20 },
    { cmd: 'a', yield_time_ms: 20 },
    'timeout_ms was taken as yield_time_ms, which ends the wait and not the command.',
  ],
  [
    'write_stdin',
    { session: 1, yield_time_ms: 5, timeout_ms: '5' },
    { session: 1, yield_time_ms: 5 },
    'timeout_ms was taken as yield_time_ms, which ends the wait and not the command.',
  ],
  [
    'exec_command',
    { cmd: 'a', run_in_background: true },
    { cmd: 'a' },
    `exec_command has no "run_in_background"; it takes ${Object.keys(inputProperties('exec_command')).join(', ')}.`,
  ],
  [
    'stop_session',
    { session: 2, reason: 'done', sandbox: false },
    { session: 2 },
    'stop_session has no "reason", "sandbox"; it takes session, force, pid.',
  ],
];

/** Refused inputs of models, and the words that models are told. */
const REFUSED: readonly (readonly [ToolName, unknown, string])[] = [
  ['exec_command', 'ls', 'exec_command takes an object with properties, not "ls".'],
  ['exec_command', { argv: 'ls -l' }, '"argv" must be a list of strings, and not empty, not "ls -l"'],
  [
    'exec_command',
    { cmd: 'a', env: 'A=1' },
    '"env" must be an object of strings, or null for those to take away, not "A=1"',
  ],
  [
    'exec_command',
    { cmd: 'a', env: { A: [1] } },
    '"env" must be an object of strings, or null for those to take away, not {"A":[1]}',
  ],
  ['exec_command', { cmd: 'a', columns: 0 }, '"columns" must be a whole number from 1 to 500, not 0'],
  ['exec_command', { cmd: 'a', command: 'b' }, '"command" says the same as "cmd", which has another value'],
  [
    'exec_command',
    { cmd: 'a', worknig_dir: '/' },
    '"worknig_dir": there is no such property. It takes cmd, argv, workdir, env,',
  ],
  ['exec_command', { cmd: 'a', timeout: 30 }, '"timeout": there is no such property. It takes cmd, argv,'],
  ['exec_command', { cmd: 'a', stdin: 'text' }, '"stdin" must be true or false, not "text"'],
  ['write_stdin', { chars: 'x' }, '"session" is missing; it must be a whole number from 1'],
  [
    'write_stdin',
    { session: 'the server', chars: 'x' },
    '"session" must be a whole number from 1, not "the server"',
  ],
  [
    'read_output',
    { session: 1, cursor: 'end' },
    '"cursor" must be a cursor out of an earlier answer, such as "0" or "17+5", not "end"',
  ],
  [
    'read_output',
    { session: 1, cursor: -1 },
    '"cursor" must be a cursor out of an earlier answer, such as "0" or "17+5", not "-1"',
  ],
  ['read_output', { session: 1, mode: 'raw' }, '"mode" must be one of plain, screen, not "raw"'],
  ['read_output', { session: 1, search: '' }, '"search" must be a string of 1 to 1000 characters, not ""'],
  ['wait_for', { session: 1, port: 'http' }, '"port" must be a whole number from 1 to 65535, not "http"'],
  [
    'wait_for',
    { session: 1, timeout_ms: 'soon' },
    '"timeout_ms" must be a whole number from 0 to 86400000, not "soon"',
  ],
  [
    'stop_session',
    { session: 1, signal: 'SIGKILL' },
    '"signal": there is no such property. It takes session, force, pid',
  ],
  ['send_signal', { session: 1, signal: 'STOPP' }, '"signal" must be one of SIGINT, '],
  ['send_signal', { session: 1 }, '"signal" is missing; it must be one of SIGINT, '],
  ['list_sessions', { all: 'yes' }, '"all" must be true or false, not "yes"'],
];

describe('The input that a model sends', () => {
  for (const [name, given, plain, ...notes] of TAKEN) {
    it(`to ${name} may be ${JSON.stringify(given)}`, () => {
      assert.deepEqual(plainInput(name, given), { input: plain, notes, problems: [] });
      const checked = checkToolInput(name, given);
      assert.ok(checked.ok, JSON.stringify(checked));
      const wanted = checkToolInput(name, plain);
      assert.ok(wanted.ok);
      assert.deepEqual(checked.input, wanted.input);
      assert.deepEqual(checked.warnings, [...notes, ...wanted.warnings]);
    });
  }

  for (const [name, given, error] of REFUSED) {
    it(`to ${name} may not be ${JSON.stringify(given)}`, () => {
      const checked = checkToolInput(name, given);
      assert.ok(!checked.ok, JSON.stringify(checked));
      assert.ok(checked.error.includes(error), checked.error);
    });
  }

  it('is not confused by names that every object has', () => {
    for (const text of ['{"constructor": 3}', '{"__proto__": 3}', '{"toString": "x"}']) {
      const checked = checkToolInput('list_sessions', JSON.parse(text));
      assert.ok(!checked.ok && checked.error.includes('there is no such property'), text);
    }
  });

  it('has aliases only for existing properties, and no alias is a property of the tool', () => {
    for (const { name } of toolDefinitions) {
      const known = inputProperties(name);
      for (const [alias, property] of Object.entries(INPUT_ALIASES[name])) {
        assert.ok(Object.hasOwn(known, property), `${name} ${alias} ${property}`);
        assert.ok(!Object.hasOwn(known, alias), `${name} has ${alias}`);
      }
    }
  });
});
