import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { serveMcpOverHttp } from '../../src/mcp/index.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { clientFolder, runToEnd } from './clientProgram.js';

/** The checks of the scenarios that apply to our server. All of them must pass. */
const APPLIES: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': ['server-initialize'],
  'ping': ['ping'],
  'tools-list': ['tools-list'],
  'server-sse-multiple-streams': ['server-accepts-multiple-post-streams', 'server-sse-streams-functional'],
  'dns-rebinding-protection': ['localhost-host-rebinding-rejected', 'localhost-host-valid-accepted'],
};

/** The reasons why the others do not apply. No check can pass in them. */
const DOES_NOT_APPLY: Readonly<Record<string, readonly string[]>> = {
  'it calls a tool that servers have for this suite alone': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    // It calls one in a revision of the protocol whose streams do not begin with an event. That cut streams are resumed
    // is tested in test/mcp/http/resume.test.ts.
    'server-sse-polling',
  ],
  'our server sends no messages of a log': ['logging-set-level', 'tools-call-with-logging'],
  'our server completes no arguments, since it has no prompts and resources': ['completion-complete'],
  'our server has no resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'our server has no prompts': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
};

const TOKEN = 'open-sesame';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

for (const program of ifProgram('conformance', 'conformance' as const)) {
  describe('The official conformance suite of MCP', () => {
    let results: ReadonlyMap<string, readonly Check[]>;

    before(async function () {
      const { file, modules } = await ensureProgram(program);
      const node = path.join(modules, `node-linux-${process.arch}/bin/node`);
      results = await runSuite([node, file]);
    });

    it('has no scenario that we have not judged', () => {
      const judged = [...Object.keys(APPLIES), ...Object.values(DOES_NOT_APPLY).flat()];
      assert.deepEqual([...results.keys()].sort(), judged.sort());
    });

    for (const [scenario, checks] of Object.entries(APPLIES)) {
      it(`is passed: ${scenario}`, () => {
        assert.deepEqual(
          (results.get(scenario) ?? []).map(({ id, status, errorMessage }) => [id, status, errorMessage]),
          checks.map((id) => [id, 'SUCCESS', undefined]),
        );
      });
    }

    for (const [why, scenarios] of Object.entries(DOES_NOT_APPLY)) {
      it(`does not apply where ${why}`, () => {
        for (const scenario of scenarios) {
          const passed = (results.get(scenario) ?? []).filter(({ status }) => status === 'SUCCESS');
          assert.deepEqual(passed, [], scenario);
        }
      });
    }
  });
}

/** Runs all scenarios against our server with the tools of agents. */
async function runSuite(
  argv: readonly [string, ...string[]],
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const backend = new LocalBackend();
  const { folder, remove } = clientFolder('home', 'tmp', 'results');
  const environment = { id: 'local', label: 'this machine', backend, cwd: folder };
  const tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
  const server = await serveMcpOverHttp({ tools, token: TOKEN, port: 0, version: '1.2.3' });
  const door = doorTo(server.port);
  try {
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
    const url = `http://127.0.0.1:${(door.address() as net.AddressInfo).port}/mcp`;
    const output = path.join(folder, 'results');
    await runToEnd({
      argv: [...argv, 'server', '--url', url, '--suite', 'all', '--output-dir', output],
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
    return readResults(output);
  } finally {
    door.close();
    door.closeAllConnections();
    await server.dispose();
    tools.dispose();
    await backend.shutdown();
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
