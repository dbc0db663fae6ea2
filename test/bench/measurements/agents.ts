import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasCodex } from '../../rig/codex.js';
import { codexStdioServer } from '../../support/codexServer.js';
import { JsonLines } from '../jsonLines.js';
import type { Measurement, Samples } from '../measurement.js';
import { usageOf } from '../processUsage.js';

const ROUNDS = { full: 7, quick: 3, check: 3 } as const;
const MB = 1_000_000;
/** How long the memory settles, and how long a program prints, in milliseconds. */
const SETTLE_MS = 300;
const PRINT_MS = 3_000;
const LOOKS = 50;
const NUMBERS = ['seq', '1', '1000000'] as const;
const CHATTY = 'while :; do echo "$((i++)) a line that nobody reads"; done';
/** Its matches take the engine a thousand possibilities for each character of the line. */
const SLOW_PATTERN = String.raw`[\p{L}\p{N}]{1000}`;
const SEARCHES = 4;
const SLOW_LINE = String.raw`perl -e 'print "a1" x 499, " " for 1 .. 900'`;
/** A program that answers, and does nothing else. */
const ANSWERER = `process.stdin.on('data', () => console.log('{"id":1,"result":{}}'))`;
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
} as const;

/** The MCP server that an agent starts. */
export const agents: Measurement = {
  name: 'agents',
  title: 'The MCP server of an agent',
  about:
    '`first`: from the start of `exec-server mcp --alone` to its first answer, and `memory` what it then holds; `node` is a program ' +
    'that only answers. `numbers`: `seq 1 1000000` through `exec_command`; of codex, through its exec-server to the ' +
    'end of its output, which nobody makes a text of. Each has run one command before. `chatty`: the part of a core that the server takes while a shell prints lines all the time and nobody reads. ' +
    '`other`: how long `list_sessions` takes while four searches go through 900 KB for a pattern of a thousand possibilities.',
  quantities: [
    { name: 'first', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'memory', unit: 'MB', better: 'lower', statistics: ['p50'] },
    { name: 'numbers', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'chatty', unit: '%', better: 'lower', statistics: ['p50'] },
    { name: 'other', unit: 'ms', better: 'lower', statistics: ['p50', 'p99'] },
  ],
  claims: [
    { quantity: 'first', statistic: 'p50', of: 'ours', atMost: 150 },
    { quantity: 'first', statistic: 'p50', of: 'ours', to: 'node' },
    { quantity: 'memory', statistic: 'p50', of: 'ours', to: 'node', atMost: 1.2 },
    { quantity: 'numbers', statistic: 'p50', of: 'ours', to: 'codex', atMost: 1.2 },
    { quantity: 'chatty', statistic: 'p50', of: 'ours', atMost: 10 },
    { quantity: 'other', statistic: 'p99', of: 'ours', atMost: 100 },
  ],
  open({ scale, rounds, dist }) {
    const contenders: Readonly<Record<string, () => Promise<Samples>>> = {
      node: async () => {
        const { program, samples } = await started([process.execPath, '-e', ANSWERER]);
        await program.stop();
        return samples;
      },
      ours: () => ours(path.join(dist, 'exec-server.js')),
      ...(hasCodex() && { codex }),
    };
    return Promise.resolve({
      contenders: Object.keys(contenders),
      rounds: rounds ?? ROUNDS[scale],
      notes: [],
      run: async (name) => (await contenders[name]?.()) ?? {},
      close: () => Promise.resolve(),
    });
  },
};

async function started(
  argv: readonly [string, ...string[]],
): Promise<{ program: JsonLines; samples: Samples }> {
  const begun = performance.now();
  const program = await JsonLines.start(argv);
  await program.request('initialize', HELLO);
  const first = performance.now() - begun;
  program.notify('notifications/initialized');
  await sleep(SETTLE_MS);
  return { program, samples: { first: [first], memory: [usage(program).residentBytes / MB] } };
}

async function ours(server: string): Promise<Samples> {
  const { program, samples } = await started([process.execPath, server, 'mcp', '--alone']);
  const call = (name: string, input: object) => program.request('tools/call', { name, arguments: input });
  const exec = (cmd: string) => call('exec_command', { cmd, yield_time_ms: 30_000 });
  await exec('true');
  const numbers = await timed(() => exec(NUMBERS.join(' ')));
  const chattySession = sessionOf(await call('exec_command', { cmd: CHATTY, yield_time_ms: SETTLE_MS }));
  const before = usage(program).cpuSeconds;
  await sleep(PRINT_MS);
  const chatty = ((usage(program).cpuSeconds - before) / (PRINT_MS / 1_000)) * 100;
  await call('stop_session', { session: chattySession });
  const slowSession = sessionOf(await exec(SLOW_LINE));
  // Each takes some 20 s alone, and ends with the program.
  for (let search = 0; search < SEARCHES; search += 1) {
    void call('read_output', { session: slowSession, search: SLOW_PATTERN });
  }
  const other: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    other.push(await timed(() => call('list_sessions', {})));
  }
  await program.stop();
  return { ...samples, numbers: [numbers], chatty: [chatty], other };
}

async function codex(): Promise<Samples> {
  const program = await JsonLines.start(await codexStdioServer());
  await program.request('initialize', { clientName: 'bench' });
  program.notify('initialized');
  const run = async (processId: string, argv: readonly string[]) => {
    const closed = program.notification('process/closed');
    const { PATH } = process.env;
    const start = { processId, argv, cwd: 'file:///tmp', env: { PATH }, tty: false, arg0: null };
    await program.request('process/start', start);
    await closed;
  };
  await run('first', ['true']);
  const numbers = await timed(() => run('numbers', NUMBERS));
  await program.stop();
  return { numbers: [numbers] };
}

/** The number of the session that an answer is about. */
function sessionOf(answer: unknown): number {
  return Number(/"session":(\d+)/.exec(JSON.stringify(answer))?.[1]);
}

function usage({ child }: JsonLines): ReturnType<typeof usageOf> {
  return usageOf(child.pid ?? 0);
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await what();
  return performance.now() - start;
}
