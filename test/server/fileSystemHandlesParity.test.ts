import { onlyWrites } from '../support/codexSandbox.js';
import { describeOnLinux } from '../support/onLinux.js';
import { makeTree, useUmask } from './fileSystemTree.js';
import { fileMethods, useServer } from './inProcess.js';
import { useOneServer } from './program.js';
import { base64, type RawClient } from './rawClient.js';
import { assertAlike, useRecording, withoutOwnWords, type Exchange } from './realClient.js';

const BLOCK = 1_048_576;
type Step = readonly [method: string, params: Readonly<Record<string, unknown>>];

const open = (handleId: string, name: string, some: object = {}): Step => [
  'fs/open',
  { handleId, path: `U/${name}`, ...some },
];
const read = (handleId: string, offset: number, len: number): Step => [
  'fs/readBlock',
  { handleId, offset, len },
];
const write = (handleId: string, offset: number, chunk: string): Step => [
  'fs/writeBlock',
  { handleId, offset, chunk },
];
const close = (handleId: string): Step => ['fs/close', { handleId }];

/** Each sequence is sent by one client, step by step. */
const sequences: Readonly<Record<string, readonly Step[]>> = {
  'reading to the end': [
    open('a', 'file2'),
    ...[read('a', 0, 2), read('a', 2, 2), read('a', 2, 3), read('a', 4, 1), read('a', 100, 5)],
    ...[close('a'), read('a', 0, 1), close('a')],
  ],
  'names': [
    ...[open('a', 'file'), open('a', 'missing'), open('', 'file'), read('', 0, 9)],
    ...[open('x'.repeat(32), 'file'), open('x'.repeat(33), 'missing'), open('ü'.repeat(17), 'missing')],
    ...[read('nobody', 0, 1), write('nobody', 0, 'YQ=='), close('nobody')],
  ],
  'what can be opened to read': ['dir', 'fifo', 'missing', 'broken', 'loop', 'link', 'dlink/a', 'file/x'].map(
    (name) => open(name, name),
  ),
  'what can be opened to write': ['dir', 'fifo', 'new', 'broken', 'loop', 'link', 'dlink/a', 'file/x'].map(
    (name) => open(name, name, { mode: 'replace' }),
  ),
  'devices': ['read', 'replace'].map((mode) => [
    'fs/open',
    { handleId: mode, path: 'file:///dev/null', mode },
  ]),
  'writing': [
    open('w', 'new', { mode: 'replace' }),
    ...[write('w', 0, base64('data!')), write('w', 20, base64('end')), write('w', 2, base64('TA'))],
    close('w'),
    ...[open('r', 'new'), read('r', 0, 100)],
  ],
  'replacing': [open('w', 'file', { mode: 'replace' }), open('r', 'file'), read('r', 0, 10)],
  'a failed read closes the handle': [
    ...[open('w', 'new', { mode: 'replace' }), read('w', 0, 1), write('w', 0, 'YQ==')],
  ],
  'reading far behind the end': [
    open('a', 'file2'),
    ...[2 ** 40, 2 ** 53, 2 ** 62].map((offset) => read('a', offset, 2)),
    ...[read('a', 0, 2), read('a', 2 ** 63, 2), read('a', 0, 2)],
  ],
  'writing far behind the end': [
    open('w', 'new', { mode: 'replace' }),
    ...[2 ** 53, 2 ** 62, 2 ** 63].map((offset) => write('w', offset, base64('lost'))),
    ...[open('r', 'new'), read('r', 0, 9)],
  ],
  'a failed write does not': [open('r', 'file'), write('r', 0, 'YQ=='), read('r', 0, 9)],
  'lengths': [
    open('r', 'file'),
    ...[read('r', 0, 0), read('r', 0, BLOCK + 1), read('nobody', 0, 0), read('r', 0, BLOCK)],
    open('w', 'new', { mode: 'replace' }),
    ...['', '!!', Buffer.alloc(BLOCK + 1).toString('base64')].map((chunk) => write('w', 0, chunk)),
    ...[write('nobody', 0, ''), write('w', 0, Buffer.alloc(BLOCK).toString('base64'))],
  ],
  'at most 128': [
    ...Array.from({ length: 128 }, (_, index) => open(`n${index}`, 'file')),
    ...[
      open('more', 'file'),
      open('more', 'missing'),
      open('n1', 'missing'),
      close('n1'),
      open('more', 'file'),
    ],
  ],
};

const recorded = useRecording('fileSystemHandles', Object.keys(sequences), ({ client }, name) =>
  play(client, sequences[name] ?? []),
);

describeOnLinux('Open files on our server and on the real one alike', () => {
  const ours = useServer({ methods: fileMethods });
  useUmask(0o022);
  for (const [name, steps] of Object.entries(sequences)) {
    it(name, async () => {
      assertAlike(await play(await ours.client(), steps), recorded(name));
    });
  }
});

describeOnLinux('Open files in a sandbox on our server, and on the real one without, alike @all', () => {
  const client = useOneServer({ umask: '022' });
  for (const [name, steps] of Object.entries(sequences)) {
    it(name, async () => {
      assertAlike(await play(client(), steps, true), recorded(name));
    });
  }
});

async function play(
  client: RawClient,
  steps: readonly Step[],
  inSandbox = false,
): Promise<readonly Exchange[]> {
  const tree = makeTree();
  try {
    const exchanges: Exchange[] = [];
    for (const [method, params] of steps) {
      const text = JSON.stringify(params);
      const asked = JSON.parse(tree.resolve(text)) as object;
      const sandbox = inSandbox && method === 'fs/open' ? onlyWrites(tree.folder) : undefined;
      const { result, error } = await client.ask(method, { ...asked, sandbox });
      const answer = { result, error: error && withoutOwnWords(error) };
      exchanges.push([`${method} ${text.slice(0, 100)}`, tree.relative(answer)]);
    }
    // The next sequence uses the same client of the real server.
    for (const handleId of new Set(steps.map(([, params]) => params['handleId']))) {
      await client.ask('fs/close', { handleId });
    }
    return [...exchanges, ['the files', tree.describe()]];
  } finally {
    tree.remove();
  }
}
