import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { makeClient } from '../../mcp/clients.js';
import { ownServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { type Json, mutate } from './mutate.js';

const SIDE_BY_SIDE = 8;

/** Calls the tools of agents with arguments that no model should make up, but some does. */
export const toolFuzz: Attack = {
  name: 'Tools called with odd arguments',
  unit: 'calls',
  amount: { short: 400, long: 10_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-attack-')));
    const client = makeClient('attack', 'legacy');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [ownServer, 'mcp', '--alone'],
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder },
        cwd: folder,
        stderr: 'ignore',
      }),
    );
    try {
      for (let made = 0; made < amount; made += SIDE_BY_SIDE) {
        const calls = Array.from({ length: SIDE_BY_SIDE }, () => {
          const { name, args } = anyCall(random);
          const changed = impatient(name, random.next() < 0.3 ? args : mutate(args, random));
          return client.callTool({ name, arguments: changed as Readonly<Record<string, unknown>> }).then(
            ({ isError }) => tally.count(isError === true ? 'errors' : 'results'),
            (error: unknown) => {
              if (String(error).includes('timed out'))
                tally.fault(`no answer to ${name} ${JSON.stringify(changed)}`);
              tally.count('refused');
            },
          );
        });
        if ((await inTime(Promise.all(calls))) === undefined) {
          tally.fault('a call was not answered');
          break;
        }
      }
      if ((await inTime(client.listTools())) === undefined)
        tally.fault('the server does not answer any more');
    } finally {
      await client.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
    return tally;
  },
};

function anyCall(random: Random): { readonly name: string; readonly args: Json } {
  const session = random.between(1, 20);
  const yield_time_ms = random.between(0, 50);
  const cmd = random.of(['echo hi', 'cat', 'sleep 5', 'exit 3', 'head -c 50000 /dev/zero', 'nonesuch']);
  return random.of<{ readonly name: string; readonly args: Json }>([
    { name: 'exec_command', args: { cmd, yield_time_ms, tty: random.next() < 0.3 } },
    { name: 'exec_command', args: { argv: ['printf', '%s', 'x'], yield_time_ms } },
    { name: 'write_stdin', args: { session, chars: 'text\n', yield_time_ms } },
    { name: 'read_output', args: { session, max_output_tokens: 100 } },
    { name: 'read_output', args: { session, search: 'h.' } },
    { name: 'wait_for', args: { session, pattern: 'hi', timeout_ms: 20 } },
    { name: 'wait_for', args: { session, port: 1, timeout_ms: 20 } },
    { name: 'send_signal', args: { session, signal: 'SIGINT' } },
    { name: 'stop_session', args: { session } },
    { name: 'list_sessions', args: {} },
    { name: 'no_such_tool', args: {} },
  ]);
}

/** A call may wait for long if it asks for that or says nothing, and then it is not wrong that it does. */
function impatient(name: string, args: Json): Json {
  const hurried = JSON.parse(JSON.stringify(args), (_name, value: unknown) =>
    typeof value === 'number' && value > 1_000 ? 20 : value,
  ) as Json;
  const waits = name === 'wait_for' ? 'timeout_ms' : 'yield_time_ms';
  const isSilent =
    isObject(hurried) &&
    ['exec_command', 'wait_for', 'write_stdin'].includes(name) &&
    (hurried[waits] ?? null) === null;
  return isSilent ? { ...hurried, [waits]: 20 } : hurried;
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
