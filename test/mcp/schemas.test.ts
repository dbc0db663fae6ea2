import assert from 'node:assert/strict';

import type { Client } from '@modelcontextprotocol/client';
import { Ajv } from '@modelcontextprotocol/client/validators/ajv';

import { useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

/**
 * The keywords that schemas use. With any other keyword, a client would refuse calls that the server takes, or explains
 * better.
 */
const SAID = new Set(['type', 'anyOf', 'items', 'properties', 'description']);

describe('The list of tools for clients', () => {
  const programs = useMcpPrograms();
  let client: Client;
  beforeEach(async () => ({ client } = await programs.start()));

  it('has schemas that refuse nothing that the server takes', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      assert.deepEqual(Object.keys(inputSchema), ['type', 'properties'], name);
      const keys = Object.values(inputSchema.properties ?? {}).flatMap((each) =>
        each instanceof Object ? Object.keys(each) : [],
      );
      assert.deepEqual(
        keys.filter((key) => !SAID.has(key)),
        [],
        name,
      );
      // A list of types makes Gemini refuse every request, if it comes through an interface like that of OpenAI.
      assert.doesNotMatch(JSON.stringify(inputSchema), /"type":\[/, name);
    }
  });

  it('asks Claude Code to load the tools at once, and to show long replies', async () => {
    const { tools } = await client.listTools();
    for (const { _meta } of tools) {
      assert.deepEqual(_meta, { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 420_000 });
    }
  });

  it('lets through a client that checks, as Gemini CLI does, what models send', async () => {
    const { tools } = await client.listTools();
    const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? assert.fail(name);
      const ajv = new Ajv({ strict: false });
      assert.ok(ajv.validate(schema, args), `${name}: ${ajv.errorsText()}`);
      return callTool(client, name, args);
    };
    const begun = await call('exec_command', {
      cmd: 'while read line; do echo "$GREETING $line"; done',
      env: { GREETING: 'hello' },
      stdin: 'true',
      cwd: '/',
      yield_time_ms: '0',
      max_output_tokens: 1_000_000,
      justification: 'a test',
    });
    assert.equal(begun.isError, false, begun.text);
    assert.match(begun.text, /^Warning: requested max_output_tokens 1000000 exceeds the maximum/m);
    const session = String(begun.session);
    await call('write_stdin', { session_id: session, chars: 'you', keys: 'Enter' });
    const waited = await call('wait_for', {
      sessions: [session],
      regex: 'hello',
      from: '0',
      timeout_ms: '30000',
    });
    assert.match(waited.text, /^Condition: pattern met/m);
    const read = await call('read_output', { session, cursor: 0 });
    assert.equal(read.output, 'hello you\n');
    assert.equal((await call('read_output', { session, tail: '1' })).output, 'hello you\n');
    const missing = await call('read_output', {});
    assert.match(missing.text, /"session" is missing; it must be a whole number from 1\.$/);
    const signalled = await call('send_signal', { session, signal: 9 });
    assert.equal(signalled.isError, false, signalled.text);
    const wrong = await call('stop_session', { session, soon: 5 });
    assert.match(wrong.text, /"soon": there is no such property\. It takes session, force, pid\.$/);
  });
});
