import { describeOnLinux } from '../support/onLinux.js';
import { useOneServer } from './program.js';
import { base64, sh, startParams, type RawAnswer, type RawClient } from './rawClient.js';
import { assertAlike, useRecording, withoutOwnWords, type Difference, type Exchange } from './realClient.js';

/** A request, or an action of a client before the next one. */
type Step = readonly [method: string, params?: unknown] | ((client: RawClient) => unknown);

const start = (processId: string, argv: readonly string[], some: object = {}): Step => [
  'process/start',
  startParams(processId, argv, { env: { PATH: '/usr/bin:/bin' }, ...some }),
];
const read = (processId: string, some: object = {}): Step => ['process/read', { processId, ...some }];
const write = (processId: string, writeId: unknown, chunk: unknown = base64('hi\n')): Step => [
  'process/write',
  { processId, chunk, writeId },
];
const terminate = (processId: string): Step => ['process/terminate', { processId }];
const told =
  (processId: string, what: 'output' | 'exited' | 'closed'): Step =>
  (client) =>
    client.told(processId, what);
const closed = (processId: string): Step => told(processId, 'closed');
const policy = { inherit: 'none', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };

/** The requests to both servers, by topic. */
const scripts: Readonly<Record<string, readonly Step[]>> = {
  'a process from its start to its end': [
    // The real server may number an exit before earlier output, unless that has been told.
    start('p', sh('echo out; read -r go; exit 3'), { pipeStdin: true }),
    told('p', 'output'),
    write('p', '1'),
    closed('p'),
    read('p'),
    read('p', { afterSeq: 0, maxBytes: 0 }),
    read('p', { afterSeq: 1 }),
    read('p', { afterSeq: 1, maxBytes: 100 }),
    read('p', { afterSeq: 99, waitMs: 5_000 }),
    terminate('p'),
    start('p', ['true']),
  ],
  'a terminal': [
    start('t', sh('test -t 0 && test -t 1 && echo "$(stty size) $SHELL"'), {
      tty: true,
      env: { PATH: '/usr/bin:/bin', SHELL: '/x' },
    }),
    closed('t'),
    read('t', { maxBytes: 0, afterSeq: 1_000 }),
    write('t', '1'),
    terminate('t'),
  ],
  'a killed process': [
    start('k', ['sleep', '100']),
    read('k'),
    terminate('k'),
    closed('k'),
    read('k'),
    terminate('k'),
  ],
  'an interrupted process': [
    start('i', ['sleep', '100']),
    ['process/signal', { processId: 'i', signal: 'interrupt' }],
    closed('i'),
    read('i'),
    ['process/signal', { processId: 'i', signal: 'interrupt' }],
  ],
  'a process that leaves somebody at its output': [
    start('h', sh('sleep 100 & echo $!; read -r go; exit 4'), { pipeStdin: true }),
    told('h', 'output'),
    write('h', '1'),
    told('h', 'exited'),
    read('h'),
    terminate('h'),
    (client) => process.kill(Number(client.output('h'))),
    read('h', { afterSeq: 2, waitMs: 60_000 }),
  ],
  'input': [
    start('w', ['head', '-n', '2'], { pipeStdin: true }),
    write('w', '1'),
    write('w', '1', base64('not this\n')),
    write('w', 'empty', ''),
    write('w', '2'),
    closed('w'),
    read('w', { afterSeq: 100 }),
    write('w', '1'),
    start('n', ['sleep', '100']),
    write('n', '1'),
    write('nobody', '1'),
    write('nobody', ''),
    write('w', 7),
    write('w', null),
    write('w', 'x', '!'),
    write('w', 'x', 'YQ'),
    write('w', 'x', 7),
    terminate('n'),
  ],
  'what is not there': [
    read('nobody'),
    terminate('nobody'),
    ['process/signal', { processId: 'nobody', signal: 'interrupt' }],
    ['process/signal', { processId: 'nobody', signal: 'term' }],
    ['process/wait', { processId: 'nobody' }],
    ['process/kill', {}],
    ['no/such/method'],
  ],
  'starts that fail': [
    start('f', []),
    start('f', ['']),
    start('f', ['/no/such']),
    start('f', ['no-such-program']),
    start('f', ['ls'], { env: { PATH: '' } }),
    start('f', ['/tmp']),
    start('f', ['/etc/passwd']),
    start('f', ['true'], { cwd: 'file:///no/such' }),
    start('f', ['true'], { cwd: 'file:///etc/passwd' }),
    start('f', ['true', 'x'.repeat(3_000_000)]),
    start('f', ['true', 'a\0b']),
    start('f', ['true'], { env: { A: 'a\0b' } }),
    start('f', ['true'], { cwd: '/tmp' }),
    start('f', ['true'], { cwd: '' }),
    start('f', ['true'], { cwd: 'http://a/b' }),
    start('f', ['true'], { cwd: 'C:\\x' }),
    start('f', ['true'], { cwd: 'file:///tmp?x' }),
    start('f', ['true'], { cwd: 'file:///tmp#x' }),
    start('f', ['true'], { cwd: 'file://host/tmp' }),
    start('f', ['true'], { cwd: 'file:///C:/tmp' }),
    start('f', ['true'], { tty: true, cwd: 'file:///tmp', env: {} }),
  ],
  'parameters': [
    ['process/start'],
    ['process/start', {}],
    ['process/start', []],
    ['process/start', 'x'],
    start('x', ['true'], { argv: 'true' }),
    start('x', ['true'], { argv: [1] }),
    start('x', ['true'], { env: null }),
    start('x', ['true'], { env: { A: 1 } }),
    start('x', ['true'], { tty: 'no' }),
    start('x', ['true'], { tty: undefined }),
    start('x', ['true'], { pipeStdin: null }),
    start('x', ['true'], { arg0: 5 }),
    start('x', ['true'], { envPolicy: {} }),
    start('x', ['true'], { envPolicy: { ...policy, inherit: 'some' } }),
    start('x', ['true'], { processId: 5 }),
    start('x', ['true'], { processId: undefined }),
    read('x', { afterSeq: -1 }),
    read('x', { afterSeq: 1.5 }),
    read('x', { waitMs: '5' }),
    read('x', { maxBytes: true }),
    ['process/terminate', ['zz']],
    ['process/terminate', {}],
    ['process/terminate', null],
    ['process/signal', { processId: 'x' }],
    ['process/write', { processId: 'x', chunk: '' }],
  ],
  'environments': [
    start('e', ['/usr/bin/env'], {
      env: { 'B': '1', '': 'nameless', 'A=B': 'c', 'D': '1', 'D=E': '2', '=F': '3' },
    }),
    closed('e'),
    read('e'),
    start('e2', ['/usr/bin/env'], {
      env: { B: '2' },
      envPolicy: { ...policy, set: { API_KEY: 'x', B: '1', C: '1' }, includeOnly: ['b', 'API*'] },
    }),
    closed('e2'),
    read('e2'),
    start('e3', sh('echo $0'), { arg0: 'other' }),
    closed('e3'),
    read('e3'),
    start('e4', ['/usr/bin/env'], {
      env: { B: '2' },
      envPolicy: { ...policy, inherit: 'all', ignoreDefaultExcludes: true, includeOnly: ['EXEC_SESSION_ID'] },
    }),
    closed('e4'),
    read('e4'),
    start('', ['true'], {
      cwd: 'file:/tmp/../tmp/',
      arg0: null,
      envPolicy: null,
      metadata: null,
      sandbox: null,
      unknown: 1,
    }),
    start('ü'.repeat(1000), ['true'], {
      cwd: 'FILE://localhost/tmp',
      enforceManagedNetwork: false,
      managedNetwork: null,
    }),
  ],
};

const differences: readonly Difference[] = [
  {
    requests: /"env":\{"A":"a\\u0000b"\}/,
    why: 'one text for NUL, wherever it is',
    ours: { error: { code: -32603, message: 'nul byte found in provided data' } },
  },
  {
    requests: /"env":\{\},"tty":true/,
    why: 'a terminal without a PATH finds programs where pipes find them',
    ours: { result: { processId: 'f', sandboxType: 'none' } },
  },
  {
    requests: /^process\/read {"processId":"e"}/,
    why: 'a variable is dropped that nobody could look up: without a name, or the second of a name',
    ours: {
      result: {
        chunks: '\nA=B=c\nB=1\nD=1',
        nextSeq: 4,
        exited: true,
        exitCode: 0,
        closed: true,
        failure: null,
        sandboxDenied: false,
        streams: ['stdout'],
      },
    },
  },
  {
    requests: /^process\/read {"processId":"e4"}/,
    why: 'what inherits all variables gets the mark of its session, and is found when it has detached itself',
    ours: {
      result: {
        chunks: '\nB=2\nEXEC_SESSION_ID=its mark',
        nextSeq: 4,
        exited: true,
        exitCode: 0,
        closed: true,
        failure: null,
        sandboxDenied: false,
        streams: ['stdout'],
      },
    },
  },
];

const ADDED: ReadonlySet<string> = new Set(['pid', 'exitSignal', 'exitSeq', 'evicted']);

/** The part of an answer that a test compares, without what differs from run to run and without our additions. */
function comparable({ result, error }: RawAnswer): unknown {
  if (error !== undefined) {
    return { error: withoutOwnWords(error) };
  }
  const rest = Object.fromEntries(Object.entries(result ?? {}).filter(([name]) => !ADDED.has(name)));
  const chunks: unknown = rest['chunks'];
  if (!Array.isArray(chunks)) {
    return { result: rest };
  }
  const parts = chunks as readonly {
    readonly seq: number;
    readonly stream: string;
    readonly chunk: string;
  }[];
  const text = parts.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
  return {
    result: {
      ...rest,
      chunks: text
        // The number of a process.
        .replace(/^\d+$/m, 'PID')
        .replace(/^(EXEC_SESSION_ID=)[0-9a-f-]{36}\/\d+@\S+$/m, '$1its mark')
        .split('\n')
        .sort()
        .join('\n'),
      streams: [...new Set(parts.map(({ stream }) => stream))],
    },
  };
}

async function play(client: RawClient, script: string): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const step of scripts[script] ?? []) {
    if (typeof step === 'function') {
      await step(client);
    } else {
      const [method, params = ''] = step;
      const request = `${method} ${JSON.stringify(params)}`;
      exchanges.push([request.slice(0, 300), comparable(await client.ask(...step))]);
    }
  }
  return exchanges;
}

const recorded = useRecording('processes', Object.keys(scripts), ({ client }, script) =>
  play(client, script),
);

describeOnLinux('Processes on the real server and on ours', () => {
  const own = useOneServer();

  for (const script of Object.keys(scripts)) {
    it(`answer alike about ${script}`, async () => {
      assertAlike(await play(own(), script), recorded(script), differences);
    });
  }
});
