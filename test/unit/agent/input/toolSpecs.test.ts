import assert from 'node:assert/strict';

import { checkToolInput } from '../../../../src/agent/input/checkToolInput.js';
import { toolDefinitions } from '../../../../src/agent/definitions.js';
import type { ToolName } from '../../../../src/agent/tool.js';
import { isToolName, TOOL_LIMITS } from '../../../../src/agent/input/toolSpecs.js';
import { makeToolDefinitions } from '../../../rig/toolDefinitions.js';

describe('The definitions of the tools', () => {
  it('are those that the code checks; npm run tools writes them', () => {
    assert.deepEqual(toolDefinitions, makeToolDefinitions());
    assert.ok(isToolName('wait_for'));
    assert.ok(!isToolName('toString'));
  });

  it('tell models everything: what each tool does, when not to use it, and what each property is', () => {
    for (const { name, title, description, inputSchema } of toolDefinitions) {
      assert.ok(title.length > 0 && description.length > 100, name);
      assert.match(description, /Do not use it/, name);
      for (const [key, property] of Object.entries(propertiesOf(inputSchema))) {
        assert.ok(String(property['description']).length > 20, `${name}.${key}`);
      }
    }
  });

  it('ask people only where something changes', () => {
    const readOnly = toolDefinitions.filter((tool) => tool.readOnly).map(({ name }) => name);
    assert.deepEqual(readOnly, ['read_output', 'wait_for', 'list_sessions']);
  });
});

describe('The check of an input', () => {
  const errorOf = (name: ToolName, input: unknown) => {
    const checked = checkToolInput(name, input);
    assert.ok(!checked.ok, JSON.stringify(checked));
    return checked.error;
  };

  it('fills in the defaults', () => {
    assert.deepEqual(checkToolInput('write_stdin', { session: 3 }), {
      ok: true,
      input: { session: 3, chars: '', yield_time_ms: 250, max_output_tokens: 9_700, close: false },
      warnings: [],
    });
    assert.deepEqual(checkToolInput('list_sessions', undefined), {
      ok: true,
      input: { all: false },
      warnings: [],
    });
  });

  it('names unknown properties, and the known ones', () => {
    assert.equal(
      errorOf('stop_session', { session: 1, now: true, hard: 1 }),
      'stop_session was not called: "now", "hard": there is no such property. It takes session, force, pid.',
    );
  });

  it('names what is missing', () => {
    assert.equal(
      errorOf('read_output', { session: null }),
      'read_output was not called: "session" is missing; it must be a whole number from 1.',
    );
  });

  for (const [input, error] of [
    [{ session: 'x' }, '"session" must be a whole number from 1, not "x"'],
    [{ session: 0 }, '"session" must be a whole number from 1, not 0'],
    [{ session: 1.5 }, '"session" must be a whole number from 1, not 1.5'],
    [{ session: 1, port: 70_000 }, '"port" must be a whole number from 1 to 65535, not 70000'],
    [{ session: 1, exit: 'yes' }, '"exit" must be true or false, not "yes"'],
    [{ session: 1, pattern: '' }, '"pattern" must be a string of 1 to 1000 characters, not ""'],
    [
      { session: 1, from: 'x' },
      '"from" must be a cursor out of an earlier answer, such as "0" or "17+5", not "x"',
    ],
    [{ session: 1, timeout_ms: NaN }, '"timeout_ms" must be a whole number from 0 to 86400000, not NaN'],
    [{ session: 1n }, '"session" must be a whole number from 1, not bigint'],
    [{ sessions: ['x'] }, '"sessions" must be a list of numbers, and not empty, not ["x"]'],
  ] as const) {
    it(`says that ${error}`, () => {
      assert.equal(errorOf('wait_for', input), `wait_for was not called: ${error}.`);
    });
  }

  it('takes null for a property that was left out', () => {
    const checked = checkToolInput('exec_command', { cmd: 'ls', argv: null, workdir: null, tty: null });
    assert.ok(checked.ok);
    assert.deepEqual([checked.input.argv, checked.input.tty], [undefined, false]);
  });

  it('names every wrong property at once', () => {
    const error = errorOf('send_signal', { session: true, signal: 'DIE' });
    assert.match(
      error,
      /"session" must be .*, not true; "signal" must be one of SIGINT, .*, not "SIGDIE"\.$/,
    );
  });

  it('refuses an input that is not an object', () => {
    for (const input of [[], 'ls', 3]) {
      assert.match(errorOf('exec_command', input), /takes an object with properties, not/);
    }
  });

  it('brings times and budgets back within their bounds, and says so', () => {
    const checked = checkToolInput('exec_command', {
      cmd: 'ls',
      yield_time_ms: 86_400_001,
      max_output_tokens: 1,
    });
    assert.ok(checked.ok);
    assert.equal(checked.input.yield_time_ms, TOOL_LIMITS.yieldMs.max);
    assert.equal(checked.input.max_output_tokens, TOOL_LIMITS.outputTokens.min);
    assert.deepEqual(checked.warnings, [
      'requested yield_time_ms 86400001 exceeds the maximum of 86400000; clamping to 86400000. The session goes on meanwhile: call again to wait longer.',
      'requested max_output_tokens 1 is below the minimum of 256; clamping to 256.',
    ]);
    const exact = checkToolInput('exec_command', { cmd: 'ls', yield_time_ms: 86_400_000 });
    assert.ok(exact.ok && exact.warnings.length === 0);
  });

  it('says what a time-out is that may have been meant in seconds', () => {
    const warningsOf = (timeout: number) => {
      const checked = checkToolInput('wait_for', { session: 1, timeout_ms: timeout });
      return checked.ok && checked.warnings;
    };
    assert.deepEqual(warningsOf(30), ['timeout_ms is in milliseconds: 30 is 0.03 s.']);
    assert.deepEqual([warningsOf(0), warningsOf(100)], [[], []]);
  });

  it('is not fooled by names that every object has', () => {
    assert.match(errorOf('list_sessions', JSON.parse('{"constructor": 3}')), /"constructor"/);
    assert.match(errorOf('list_sessions', JSON.parse('{"__proto__": 3}')), /"__proto__"/);
  });
});

function propertiesOf(schema: unknown): Record<string, Record<string, unknown>> {
  return (schema as { properties: Record<string, Record<string, unknown>> }).properties;
}
