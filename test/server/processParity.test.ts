import assert from 'node:assert/strict';

import { startOwnServer, type RunningServer } from '../support/execServer.js';
import { webSocketClient } from './program.js';
import { base64, sh, startParams, type RawAnswer, type RawClient } from './rawClient.js';
import { useRealServer, withoutOwnWords } from './realClient.js';

/** A request, or the id of a process whose end is awaited. */
type Step = readonly [method: string, params?: unknown] | string;

const start = (processId: string, argv: readonly string[], some: object = {}): Step => [
  'process/start',
  startParams(processId, argv, some),
];
const read = (processId: string, some: object = {}): Step => ['process/read', { processId, ...some }];
const write = (processId: string, writeId: unknown, chunk: unknown = base64('hi\n')): Step => [
  'process/write',
  { processId, chunk, writeId },
];
const terminate = (processId: string): Step => ['process/terminate', { processId }];
const policy = { inherit: 'none', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };

/** The requests to both servers, by topic. */
const scripts: Readonly<Record<string, readonly Step[]>> = {
  'a process from its start to its end': [
    // The real server may number an exit before earlier output.
    start('p', sh('echo out; sleep 0.1; exit 3')),
    'p',
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
    't',
    read('t', { maxBytes: 0, afterSeq: 1_000 }),
    write('t', '1'),
    terminate('t'),
  ],
  'a killed process': [
    start('k', ['sleep', '100']),
    read('k'),
    terminate('k'),
    'k',
    read('k'),
    terminate('k'),
  ],
  'an interrupted process': [
    start('i', ['sleep', '100']),
    ['process/signal', { processId: 'i', signal: 'interrupt' }],
    'i',
    read('i'),
    ['process/signal', { processId: 'i', signal: 'interrupt' }],
  ],
  'a process that leaves somebody at its output': [
    start('h', sh('(sleep 0.7) & exit 4')),
    read('h', { waitMs: 400 }),
    terminate('h'),
    read('h', { afterSeq: 1, waitMs: 5_000 }),
  ],
  'input': [
    start('w', ['head', '-n', '2'], { pipeStdin: true }),
    write('w', '1'),
    write('w', '1', base64('not this\n')),
    write('w', 'empty', ''),
    write('w', '2'),
    'w',
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
    start('f', ['true', 'x'.repeat(200_000)]),
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
    'e',
    read('e'),
    start('e2', ['/usr/bin/env'], {
      env: { B: '2' },
      envPolicy: { ...policy, set: { API_KEY: 'x', B: '1', C: '1' }, includeOnly: ['b', 'API*'] },
    }),
    'e2',
    read('e2'),
    start('e3', sh('echo $0'), { arg0: 'other' }),
    'e3',
    read('e3'),
    start('e4', ['/usr/bin/env'], {
      env: { B: '2' },
      envPolicy: { ...policy, inherit: 'all', ignoreDefaultExcludes: true, includeOnly: ['EXEC_SESSION_ID'] },
    }),
    'e4',
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

/** The intended differences: the step, the reason, and our answer. */
const differences: readonly {
  readonly script: string;
  readonly step: number;
  readonly why: string;
  readonly ours: unknown;
}[] = [
  {
    script: 'starts that fail',
    step: 11,
    why: 'one text for NUL, wherever it is',
    ours: { error: { code: -32603, message: 'nul byte found in provided data' } },
  },
  {
    script: 'starts that fail',
    step: 20,
    why: 'a terminal without a PATH finds programs where pipes find them',
    ours: { result: { processId: 'f', sandboxType: 'none' } },
  },
  {
    script: 'environments',
    step: 2,
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
    script: 'environments',
    step: 11,
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

/** Waits for a process to close, however the server numbers that event. */
async function untilClosed(client: RawClient, processId: string): Promise<void> {
  await client.told(processId, 'closed');
}

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
        .replace(/^(EXEC_SESSION_ID=)[0-9a-f-]{36}\/\d+@\S+$/m, '$1its mark')
        .split('\n')
        .sort()
        .join('\n'),
      streams: [...new Set(parts.map(({ stream }) => stream))],
    },
  };
}

async function run(client: RawClient, steps: readonly Step[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const step of steps) {
    if (typeof step === 'string') {
      await untilClosed(client, step);
      answers.push(step);
    } else {
      answers.push(comparable(await client.ask(...step)));
    }
  }
  return answers;
}

describe('Processes on the real server and on ours', () => {
  const real = useRealServer();
  let server: RunningServer | undefined;
  let own: RawClient | undefined;
  before(async () => {
    server = await startOwnServer();
    own = await webSocketClient(server.url);
    await own.handshake();
  });
  after(async () => {
    own?.transport.destroy('the test is over');
    await server?.stop();
  });

  for (const [name, steps] of Object.entries(scripts)) {
    it(`answer alike about ${name}`, async () => {
      assert.ok(own);
      const [theirs, ours] = await Promise.all([run(real.client, steps), run(own, steps)]);
      for (const [index, step] of steps.entries()) {
        const difference = differences.find((some) => some.script === name && some.step === index);
        const what = `step ${index}: ${JSON.stringify(step).slice(0, 200)}`;
        if (difference === undefined) {
          assert.deepEqual(ours[index], theirs[index], what);
        } else {
          assert.deepEqual(ours[index], difference.ours, what);
          assert.notDeepEqual(theirs[index], difference.ours, `${what} is no difference any more`);
        }
      }
    });
  }
});
