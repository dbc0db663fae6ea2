import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { ownerName, type Sighting } from '../../src/core/index.js';
import { runLine } from '../cli/cliFixture.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine, processesWith } from '../support/processes.js';
import { until } from '../support/until.js';
import {
  type AgentOptions,
  type RealAgent,
  realAgents,
  type RunningAgent,
  startAgent,
} from './realAgents.js';

const SERVER = 'node server.js';
const BUILD = 'node build.js';
/** The end of the command that starts the server. */
const STARTED = '& echo started';
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

const AGENTS = realAgents.flatMap((each) => ifProgram(each.program, each));

describe('Commands of real agents', () => {
  const machine = useMachine();
  const table: string[][] = [['agent', 'way', 'command', 'after', 'owner', 'port', 'after the kill']];
  let cwd = '';
  let running: RunningAgent | undefined;

  beforeEach(() => {
    cwd = path.join(machine.folder, 'work');
    fs.mkdirSync(cwd);
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(cwd, name), text);
  });
  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  after(() => process.stdout.write(`${textOf(table)}\n`));

  async function start(agent: RealAgent, prepared?: AgentOptions['prepared']): Promise<RunningAgent> {
    const mcp = { command: process.execPath, args: [path.join(cwd, HELPER)] };
    running = await startAgent(agent, {
      cwd,
      server: SERVER,
      build: BUILD,
      mcp,
      ...(prepared && { prepared }),
    });
    return running;
  }

  /** Looks at the rows in the agent's folder, and notes when they were there first. */
  async function useLooks() {
    const { backend } = (await machine.connect()) ?? assert.fail();
    const after = new Map<string, string>();
    let rows: readonly Sighting[] = [];
    const rowOf = (part: string) => rows.find(({ command }) => command.includes(part));
    return {
      after,
      rowOf,
      theRowOf: (part: string) => rowOf(part) ?? assert.fail(`${part}: ${JSON.stringify(rows)}`),
      look: async () => {
        rows = ((await backend.sightings?.look()) ?? assert.fail()).filter((row) => row.cwd === cwd);
        for (const part of [SERVER, BUILD].filter((each) => !after.has(each))) {
          const { startedAt } = rowOf(part) ?? {};
          if (startedAt !== undefined) after.set(part, `${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
        }
        return rows;
      },
    };
  }

  /** Opens the doors of an agent, as people do. */
  const connect =
    (agent: RealAgent): AgentOptions['prepared'] =>
    async (variables) => {
      const bin = path.join(machine.folder, 'bin');
      fs.mkdirSync(bin);
      const [file] = agent.argv(await ensureProgram(agent.program));
      fs.symlinkSync(file, path.join(bin, agent.id));
      const env = {
        ...variables,
        PATH: `${bin}:${variables['PATH'] ?? ''}`,
        XDG_RUNTIME_DIR: path.join(machine.folder, 'run'),
        // The server has another home here.
        XDG_DATA_HOME: path.join(machine.folder, 'home/.local/share'),
      };
      const { code, stdout, stderr } = await runLine(
        { env, folder: cwd },
        `exec-sessions connect ${agent.id} --yes`,
      );
      assert.equal(code, 0, stdout + stderr);
      return env;
    };

  for (const agent of AGENTS) {
    it(`appear with owner, command, folder and port, and keep their owner: ${agent.id} @all`, async () => {
      const { look, rowOf, theRowOf, after } = await useLooks();
      const { printed, kill } = await start(agent);
      await until(
        async () => ({ rows: await look(), printed: printed() }),
        () => [BUILD, HELPER].every(rowOf) && rowOf(SERVER)?.ports !== undefined,
      );
      const [server, build, helper] = [theRowOf(SERVER), theRowOf(BUILD), theRowOf(HELPER)];
      const [self, ...more] = (await look()).filter(({ kind }) => kind === 'agent');
      assert.ok(self !== undefined && more.length === 0);
      assert.match(server.command, /^node server\.js(?:; true)?$/);
      assert.equal(server.ports?.length, 1);
      assert.equal(build.command, `${BUILD}; echo built`);
      assert.deepEqual(
        [server, build, helper].map(({ kind }) => kind),
        ['command', 'command', 'helper'],
      );
      for (const { owner: { agents, pid, claimed } = {} } of [build, helper]) {
        assert.deepEqual({ agents, pid, claimed }, { agents: [agent.id], pid: self.pid, claimed: false });
      }
      assert.deepEqual(server.owner?.agents, [agent.id]);
      await kill();
      await until(look, (rows) => !rows.some(({ kind }) => kind === 'agent' || kind === 'helper'));
      for (const [part, before] of [
        [SERVER, server],
        [BUILD, build],
      ] as const) {
        const now = theRowOf(part);
        assert.deepEqual(now.owner?.agents, [agent.id], JSON.stringify(now));
        table.push([agent.id, 'seen', part, after.get(part) ?? '', owner(before), ports(before), owner(now)]);
      }
    });
  }

  for (const agent of AGENTS.filter(({ id }) => id === 'claude')) {
    it('are handed over by Claude Code, with their ends @all', async () => {
      const { look, rowOf, theRowOf, after } = await useLooks();
      // The server makes the folder of the door once the script is there.
      const { kill, printed } = await start(agent, async (env) => {
        const opened = (await connect(agent)?.(env)) ?? env;
        await until(look, () =>
          fs.existsSync(path.join(machine.folder, 'run/exec-sessions/claude-door/server')),
        );
        return opened;
      });
      await until(
        async () => ({ rows: await look(), printed: printed() }),
        () => [STARTED, BUILD].every((part) => rowOf(part)?.handedOver),
      );
      const [started, build] = [theRowOf(STARTED), theRowOf(BUILD)];
      assert.equal(build.command, `${BUILD}; echo built`);
      assert.deepEqual([build.owner?.agents, build.owner?.claimed], [['claude'], false]);
      assert.match(build.owner?.conversation ?? '', /^[\w-]+$/);
      assert.equal(started.end?.exitCode, 0);
      await kill();
      await until(look, (rows) => !rows.some(({ kind }) => kind === 'agent'));
      table.push([agent.id, 'door', BUILD, after.get(BUILD) ?? '', owner(build), '', owner(rowOf(BUILD))]);
      for (const pid of processesWith(`CLAUDE_CODE_SESSION_ID=${build.owner?.conversation}`)) {
        if (commandLine(pid).trim() === BUILD) killIfThere(pid, 'SIGKILL');
      }
      await until(look, () => rowOf(BUILD)?.end !== undefined);
      assert.equal(theRowOf(BUILD).end?.exitCode, 0, 'echo built is the last command.');
    });
  }

  for (const agent of AGENTS.filter(({ id }) => id === 'codex')) {
    it('are sessions of ours with the conversation of Codex @all', async () => {
      const { printed, kill } = await start(agent, connect(agent));
      let rows: readonly ListedSession[] = [];
      const list = async () => {
        const { stdout } = await runLine(machine, 'exec-sessions ls --all --json');
        rows = (JSON.parse(stdout) as { sessions: readonly ListedSession[] }).sessions;
        return { rows, printed: printed() };
      };
      const rowOf = (part: string) => rows.find(({ commandLine }) => commandLine.startsWith(part));
      await until(list, () => [SERVER, BUILD].every(rowOf));
      const before = [SERVER, BUILD].map(rowOf);
      for (const row of before) {
        assert.deepEqual([row?.cwd, row?.origin.kind, row?.origin.name], [cwd, 'agent', 'Codex']);
        assert.match(row?.origin.conversation ?? '', /^[\w-]+$/);
      }
      await kill();
      await list();
      for (const part of [SERVER, BUILD]) {
        const { origin, state } = rowOf(part) ?? assert.fail(part);
        table.push([agent.id, 'door', part, '', origin.name, '', `${origin.name}, ${state}`]);
      }
    });
  }
});

/** A session as `exec-sessions ls --json` has it. */
interface ListedSession {
  readonly commandLine: string;
  readonly cwd: string;
  readonly state: string;
  readonly origin: { readonly kind: string; readonly name: string; readonly conversation?: string };
}

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
