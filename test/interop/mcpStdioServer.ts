import { createInterface } from 'node:readline';

import { answerMcp, type McpRequest } from './mcp.js';

/** The tool server as a program of its own. */
createInterface(process.stdin).on('line', (line) => {
  const answer = answerMcp(JSON.parse(line) as McpRequest, (text) => ({
    home: process.env['HOME'],
    cwd: process.cwd(),
    begin: text.slice(0, 10),
    length: text.length,
  }));
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
