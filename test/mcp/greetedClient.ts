import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { greet } from '../../src/mcp/greeting.js';
import { serveMcpOverStdio } from '../../src/mcp/index.js';
import { until } from '../support/until.js';
import { ScriptedTools } from './scriptedTools.js';

const LAST = '{"jsonrpc":"2.0","id":"the last","method":"ping"}';

export interface Conversation {
  /** The lines that the client got. */
  readonly answers: readonly string[];
  /** The tools that were called, in order. */
  readonly calls: readonly string[];
  /** How many answers there were before the SDK took over; undefined if it had all from the start. */
  readonly greeted: number | undefined;
}

/** Says something to a server in pieces, and gives all that came back; `greeting` as exec-server does it. */
export async function converse(
  pieces: readonly Uint8Array[],
  { greeting }: { readonly greeting: boolean },
): Promise<Conversation> {
  const tools = new ScriptedTools();
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const answers: string[] = [];
  createInterface(streams.output).on('line', (line) => answers.push(line));
  let greeted: number | undefined;
  const served = (async () => {
    const options = { definitions: tools.definitions, version: '1.2.3', ...streams };
    const begun = greeting ? await greet(options, () => undefined) : undefined;
    greeted = greeting ? answers.length : undefined;
    if (begun !== undefined || !greeting) {
      await serveMcpOverStdio({ tools, version: '1.2.3', ...streams, greeting: begun });
    }
  })();
  const calls: string[] = [];
  const reply = () => {
    for (const call of tools.calls.splice(0)) {
      calls.push(`${call.name} ${JSON.stringify(call.input)} of ${call.caller.agent.name}`);
      call.reply({ text: 'Done.' });
    }
  };
  for (const piece of pieces) {
    streams.input.write(piece);
    await setImmediate();
    reply();
  }
  streams.input.write(`\n${LAST}\n`);
  await until(() => {
    reply();
    return answers.some((line) => line.includes('the last'));
  });
  // Answers to earlier calls are only in promises: no call takes longer than two turns.
  for (let turn = 0; turn < 5; turn += 1) {
    await setImmediate();
    reply();
  }
  streams.input.end();
  await served;
  return { answers, calls, greeted };
}
