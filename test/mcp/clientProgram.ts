import readline from 'node:readline';

import { connectHttp, type Era, textOf } from './clients.js';

/** A client of MCP as a program: each line on its input is a call, and its answer is a line on its output. */
async function main([url = '', token = '', era = '', name = '']: readonly string[]): Promise<void> {
  const client = await connectHttp({ url, token, era: era as Era, name });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const call = JSON.parse(line) as { name: string; arguments: Record<string, unknown> };
    process.stdout.write(`${JSON.stringify(textOf(await client.callTool(call)))}\n`);
  }
  // As in a window that is closed: without a goodbye.
  process.exit();
}

void main(process.argv.slice(2));
