import { onlyWrites } from '../support/codexSandbox.js';
import { describeOnLinux } from '../support/onLinux.js';
import { makeTree, useUmask } from './fileSystemTree.js';
import { fileMethods, useServer } from './inProcess.js';
import { useOneServer } from './program.js';
import type { RawClient } from './rawClient.js';
import { assertAlike, useRecording, withoutOwnWords, type Difference, type Exchange } from './realClient.js';

interface Case {
  readonly method: string;
  /** `U` stands for the URI of the folder. */
  readonly params: Readonly<Record<string, unknown>>;
}

const asked = (method: string, names: readonly string[], variants: readonly object[] = [{}]): Case[] =>
  names.flatMap((name) => variants.map((variant) => ({ method, params: { path: `U/${name}`, ...variant } })));

const links = [{}, { followSymlinks: false }];
const everything = [
  ...['file', 'link', 'dir', 'dlink', 'broken', 'fifo', 'missing', 'file/x', 'missing/x', 'loop', 'dlink/a'],
  ...['file/', 'dir/', 'dir/../file', 'sp%20ace/%C3%BC%25%23%3F', 'y'.repeat(300)],
];
const uris = [
  'file:///dev/null',
  'file://host/a',
  'file:///C:/a',
  'file:///a%00b',
  'file:///a?x',
  'file:///a#x',
];
const badUris = [...uris, '/tmp', '', 'http://a/b'].map((path) => ({ path }));

const walkOptions = {
  maxDepth: 6,
  maxDirectories: 2000,
  maxEntries: 20_000,
  followDirectorySymlinks: true,
  pruneHiddenDirectories: true,
};
const walks = (name: string, ...options: readonly object[]): Case[] =>
  options.map((some) => ({
    method: 'fs/walk',
    params: { path: `U/${name}`, options: { ...walkOptions, ...some } },
  }));

const reading: Readonly<Record<string, readonly Case[]>> = {
  'fs/readFile': [
    ...asked('fs/readFile', everything, links),
    ...badUris.map((params) => ({ method: 'fs/readFile', params })),
  ],
  'fs/getMetadata': [
    ...asked('fs/getMetadata', everything, links),
    ...[...badUris, { path: 'file:///' }].map((params) => ({ method: 'fs/getMetadata', params })),
  ],
  'fs/canonicalize': asked('fs/canonicalize', [...everything, '']),
  'fs/readDirectory': asked('fs/readDirectory', [...everything, '']),
  'fs/walk': [
    ...walks('', {}, { followDirectorySymlinks: false }, { pruneHiddenDirectories: false }),
    ...walks('', ...[64, 65].map((maxDepth) => ({ maxDepth }))),
    ...walks('', ...[10_000, 10_001].map((maxDirectories) => ({ maxDirectories }))),
    ...walks('', ...[50_000, 50_001].map((maxEntries) => ({ maxEntries }))),
    ...walks('missing', { maxDepth: 65 }, { maxDepth: 65, maxEntries: 0 }),
    ...walks('', ...[0, 1, 2].map((maxDepth) => ({ maxDepth }))),
    ...walks('', ...[0, 1, 2, 3, 4, 6, 7, 8].map((maxDirectories) => ({ maxDirectories }))),
    ...walks('', ...[0, 1, 2, 3, 5, 8, 13, 14, 15, 16, 20, 25].map((maxEntries) => ({ maxEntries }))),
    ...['file', 'missing', 'dlink', 'broken', 'dir/.hid', 'fifo', 'loop', 'dir'].flatMap((name) =>
      walks(name, {}, { followDirectorySymlinks: false }),
    ),
  ],
};

const removals = [
  ...[{}, { recursive: false, force: false }, { recursive: true, force: false }],
  ...[
    { recursive: false },
    { followSymlinks: false },
    { followSymlinks: false, recursive: false, force: false },
  ],
];
const removable = [
  'file',
  'dir',
  'link',
  'dlink',
  'broken',
  'missing',
  'fifo',
  'empty',
  'file/x',
  'missing/x',
];
const copies: readonly (readonly [string, string])[] = [
  ...['new', 'file2', 'dir', 'dlink', 'link', 'broken', 'missing/x', 'file', 'file2/x'].map(
    (to) => ['file', to] as const,
  ),
  ...[
    'new',
    'new/deep',
    'empty',
    'dir2',
    'dir',
    'dir/sub',
    'dir/new/deep',
    'file',
    'dlink',
    'dlink/sub',
    'broken',
    'fdir',
  ].map((to) => ['dir', to] as const),
  ...['new', 'dir2'].map((to) => ['dlink', to] as const),
  ...['new', 'file2', 'dir', 'file'].map((to) => ['link', to] as const),
  ['broken', 'new'],
  ['fifo', 'new'],
  ['fdir', 'new'],
  ['fdir', 'dir'],
  ['missing', 'new'],
  ['loop', 'new'],
  ['file/x', 'new'],
  ['empty', 'new/x'],
];

const writing: Readonly<Record<string, readonly Case[]>> = {
  'fs/writeFile': [
    ...asked(
      'fs/writeFile',
      ['new', 'file', 'link', 'dir', 'broken', 'missing/x', 'file/x', 'loop', 'dlink/w', 'dlink', 'new/'],
      links.map((some) => ({ dataBase64: 'ZGF0YSE=', ...some })),
    ),
    ...asked('fs/writeFile', ['fifo'], [{ dataBase64: 'ZGF0YSE=', followSymlinks: false }]),
    ...asked(
      'fs/writeFile',
      ['new', 'missing/x'],
      ['', '!!', 'YQ', 'YQ==\n', 'Y', 'YQ==YQ==', 'YR==', '-_-_'].map((dataBase64) => ({ dataBase64 })),
    ),
    { method: 'fs/writeFile', params: { path: 'file:///dev/null', dataBase64: 'YQ==' } },
    {
      method: 'fs/writeFile',
      params: { path: 'file:///dev/null', dataBase64: 'YQ==', followSymlinks: false },
    },
  ],
  'fs/createDirectory': asked(
    'fs/createDirectory',
    [
      'new',
      'new/a/b',
      'dir',
      'file',
      'file/x',
      'link',
      'dlink',
      'dlink/z',
      'dlink/z/z',
      'broken',
      'loop',
      'dir/',
    ],
    [{}, { recursive: false }, { followSymlinks: false }, { recursive: false, followSymlinks: false }],
  ),
  'fs/remove': asked('fs/remove', [...removable, 'dlink/', 'dlink/a', 'loop'], removals),
  'fs/copy': copies.flatMap(([from, to]) =>
    [true, false].map((recursive) => ({
      method: 'fs/copy',
      params: { sourcePath: `U/${from}`, destinationPath: `U/${to}`, recursive },
    })),
  ),
};

const differences: readonly Difference[] = [
  {
    requests: /^fs\/copy .*"U\/file","destinationPath":"U\/(file|link)"/,
    why: 'Copying a file onto itself leaves it as it is; the real server empties it.',
    ours: { result: {}, changes: [] },
  },
];

const recorded = useRecording('fileSystem', Object.keys({ ...reading, ...writing }), ({ client }, method) =>
  play(client, method),
);

describeOnLinux('Our file methods and those of the real server answer alike', () => {
  const ours = useServer({ methods: fileMethods });
  useUmask(0o022);
  for (const [method, cases] of Object.entries({ ...reading, ...writing })) {
    it(`${method}, ${cases.length} cases`, async () => {
      assertAlike(await play(await ours.client(), method), recorded(method), differences);
    });
  }
});

describeOnLinux('Our file methods in a sandbox answer like the real server without one @all', () => {
  const client = useOneServer({ umask: '022' });
  for (const method of Object.keys({ ...reading, ...writing })) {
    it(method, async () => {
      assertAlike(await play(client(), method, true), recorded(method), differences);
    });
  }
});

/** The answers to all cases of a method, with the changes of the files if it writes. */
async function play(client: RawClient, method: string, inSandbox = false): Promise<readonly Exchange[]> {
  let tree = makeTree();
  const before = tree.describe();
  try {
    const exchanges: Exchange[] = [];
    for (const { params } of (reading[method] ?? []).concat(writing[method] ?? [])) {
      const text = JSON.stringify(params);
      const asked = JSON.parse(tree.resolve(text)) as object;
      const sandbox = inSandbox ? onlyWrites(tree.folder) : null;
      const { result, error } = await client.ask(method, { ...asked, sandbox });
      const answer = comparable(tree.relative({ result, error: error && withoutOwnWords(error) }));
      const after = tree.describe();
      const changes = [
        ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
        ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
      ];
      exchanges.push([`${method} ${text}`, method in writing ? { ...answer, changes } : answer]);
      if (changes.length > 0) {
        tree.remove();
        tree = makeTree();
      }
    }
    return exchanges;
  } finally {
    tree.remove();
  }
}

/** An answer without the parts that differ between two runs of the same server, or between file systems. */
function comparable(answer: object): object {
  const text = JSON.stringify(answer);
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'createdAtMs') return 'time';
    if (name === 'modifiedAtMs') return typeof value;
    if (name === 'result' && isFolder(value)) return { ...value, size: typeof value.size };
    const unsorted = Array.isArray(value) && name === 'entries' && text.includes('"fileName"');
    return unsorted ? value.map((entry) => JSON.stringify(entry)).sort() : value;
  }) as object;
}

function isFolder(value: unknown): value is { readonly size: unknown } {
  return typeof value === 'object' && value !== null && 'isDirectory' in value && value.isDirectory === true;
}
