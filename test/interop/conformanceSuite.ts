import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';

import { type ServedTools, serveMcpOverHttp } from '../../src/mcp/index.js';
import { ensureProgram, type NpmProgramName } from '../rig/npmPrograms.js';
import { clientFolder, runToEnd } from './clientProgram.js';

const TOKEN = 'open-sesame';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The checks of a scenario, by its name. */
export type Results = ReadonlyMap<string, readonly Check[]>;

/**
 * Runs the official conformance suite against our server.
 *
 * @param toolsIn Makes the tools to serve, in a folder for them.
 * @param runs The arguments of each run of the suite.
 */
export async function runConformance(
  program: NpmProgramName,
  toolsIn: (folder: string) => ServedTools & { dispose(): Promise<void> },
  runs: readonly (readonly string[])[],
): Promise<Results> {
  const { file, modules } = await ensureProgram(program);
  const node = path.join(modules, `node-linux-${process.arch}/bin/node`);
  const { folder, remove } = clientFolder('home', 'tmp', 'results');
  const tools = toolsIn(folder);
  const server = await serveMcpOverHttp({ tools, token: TOKEN, port: 0, version: '1.2.3' });
  const door = doorTo(server.port);
  try {
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
    const url = `http://127.0.0.1:${(door.address() as net.AddressInfo).port}/mcp`;
    const output = path.join(folder, 'results');
    for (const run of runs) {
      await runToEnd({
        argv: [node, file, 'server', '--url', url, ...run, '--output-dir', output],
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: path.join(folder, 'home'),
          TMPDIR: path.join(folder, 'tmp'),
        },
        marker: folder,
        // It fails as soon as one check does.
        mayFail: true,
      });
    }
    return readResults(output);
  } finally {
    door.close();
    door.closeAllConnections();
    await server.dispose();
    await tools.dispose();
    await remove();
  }
}

/** A way to our server that adds the token, which the suite cannot send, and changes nothing else. */
function doorTo(port: number): http.Server {
  return http.createServer((request, response) => {
    const { method, url, headers } = request;
    const inner = http.request({
      host: '127.0.0.1',
      port,
      path: url,
      method,
      headers: { ...headers, authorization: `Bearer ${TOKEN}` },
      agent: false,
    });
    inner.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
    });
    inner.once('error', () => response.destroy());
    response.once('close', () => inner.destroy());
    request.pipe(inner);
  });
}

/** The checks of each scenario, which has a folder named after it and the time. */
function readResults(output: string): ReadonlyMap<string, readonly Check[]> {
  return new Map(
    fs.readdirSync(output).map((name) => {
      const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT[^T]*$/.exec(name)?.[1] ?? assert.fail(name);
      const file = path.join(output, name, 'checks.json');
      return [scenario, JSON.parse(fs.readFileSync(file, 'utf8')) as readonly Check[]];
    }),
  );
}
