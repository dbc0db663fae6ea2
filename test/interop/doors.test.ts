import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { ownerName, type Sighting } from '../../src/core/index.js';
import { ifProgram } from '../rig/npmPrograms.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { until } from '../support/until.js';
import { realAgents, startAgent, type RunningAgent } from './realAgents.js';

const SERVER = 'node server.js';
const BUILD = 'node build.js';
const HELPER = 'helper.js';

const FILES = {
  'server.js': "require('http').createServer().listen(0, '127.0.0.1');",
  'build.js': 'setInterval(() => {}, 1_000);',
  [HELPER]: `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'helper', version: '1' } }
      : method === 'tools/list' ? { tools: [] } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}).on('close', () => process.exit());`,
};

describe('What a real agent starts by itself', () => {
  const machine = useMachine();
  const table: string[][] = [['agent', 'way', 'command', 'after', 'owner', 'port', 'owner after the kill']];
  let running: RunningAgent | undefined;

  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  after(() => process.stdout.write(`${textOf(table)}\n`));

  /** The folder that an agent works in. */
  function workFolder(): string {
    const cwd = path.join(machine.folder, 'work');
    fs.mkdirSync(cwd);
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(cwd, name), text);
    return cwd;
  }

  for (const agent of realAgents.flatMap((each) => ifProgram(each.program, each))) {
    it(`appears with owner, command, folder and port, and keeps its owner: ${agent.id} @all`, async () => {
      const cwd = workFolder();
      const { backend } = (await machine.connect()) ?? assert.fail();
      let rows: readonly Sighting[] = [];
      const after = new Map<string, string>();
      const look = async () => {
        rows = ((await backend.sightings?.look()) ?? assert.fail()).filter((row) => row.cwd === cwd);
        for (const part of [SERVER, BUILD].filter((each) => !after.has(each))) {
          const { startedAt } = rowOf(part) ?? {};
          if (startedAt !== undefined) after.set(part, `${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
        }
        return rows;
      };
      const rowOf = (part: string) => rows.find(({ command }) => command.includes(part));
      running = await startAgent(agent, {
        cwd,
        server: SERVER,
        build: BUILD,
        mcp: { command: process.execPath, args: [path.join(cwd, HELPER)] },
      });
      await until(
        async () => ({ rows: await look(), printed: running?.printed() }),
        () => [BUILD, HELPER].every(rowOf) && rowOf(SERVER)?.ports !== undefined,
      );
      const theRowOf = (part: string) => rowOf(part) ?? assert.fail(`${part}: ${JSON.stringify(rows)}`);
      const [server, build, helper] = [theRowOf(SERVER), theRowOf(BUILD), theRowOf(HELPER)];
      const [self, ...more] = rows.filter(({ kind }) => kind === 'agent');
      assert.ok(self !== undefined && more.length === 0, JSON.stringify(rows));
      const ofAgent = { agents: [agent.id], pid: self.pid, claimed: false };
      assert.match(server.command, /^node server\.js(?:; true)?$/);
      assert.equal(server.ports?.length, 1);
      assert.equal(build.command, `${BUILD}; echo built`);
      assert.deepEqual(
        [server, build, helper].map(({ kind }) => kind),
        ['command', 'command', 'helper'],
      );
      for (const { owner } of [build, helper])
        assert.deepEqual({ ...owner, conversation: 0 }, { ...ofAgent, conversation: 0 });
      assert.deepEqual(server.owner?.agents, [agent.id]);
      await running.kill();
      await until(
        async () => ({ rows: await look() }),
        () => !rows.some(({ kind }) => kind === 'agent' || kind === 'helper'),
      );
      for (const [part, before] of [
        [SERVER, server],
        [BUILD, build],
      ] as const) {
        const now = theRowOf(part);
        assert.deepEqual(now.owner?.agents, [agent.id], JSON.stringify(rows));
        table.push([agent.id, 'seen', part, after.get(part) ?? '', owner(before), ports(before), owner(now)]);
      }
    });
  }
});

const ports = (row: Sighting) => row.ports?.join(' ') ?? '–';
const owner = (row: Sighting | undefined) =>
  row === undefined
    ? 'no row'
    : `${ownerName(row) ?? 'unknown'}${row.owner?.claimed === true ? ' (claimed)' : ''}`;

/** A table with columns of equal width. */
function textOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
