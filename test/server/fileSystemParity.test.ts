import assert from 'node:assert/strict';

import { fileSystemMethods } from '../../src/server/methods/fileSystem/index.js';
import { makeTree, type Tree } from './fileSystemTree.js';
import { useServer } from './inProcess.js';
import type { RawClient } from './rawClient.js';
import { useRealServer, withoutOwnWords } from './realClient.js';

interface Case {
  readonly method: string;
  /** `U` stands for the URI of the folder. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** An intended difference: the beginning of the cases, the reason, and our answer. */
interface Difference {
  readonly cases: RegExp;
  readonly why: string;
  readonly ours: unknown;
}

const done = { result: {} };
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
    cases: /^fs\/copy .*"U\/file","destinationPath":"U\/(file|link)"/,
    why: 'Copying a file onto itself leaves it as it is; the real server empties it.',
    ours: done,
  },
];

describe('Our file methods and those of the real server answer alike', () => {
  const ours = useServer({ methods: fileSystemMethods });
  const real = useRealServer();

  async function compare({ method, params }: Case, ourTree: Tree, realTree: Tree): Promise<void> {
    const label = `${method} ${JSON.stringify(params)}`;
    const answer = await ask(await ours.client(), ourTree, method, params);
    const expected = await ask(real.client, realTree, method, params);
    const difference = differences.find(({ cases }) => cases.test(label));
    if (difference === undefined) {
      assert.deepEqual(answer, expected, label);
    } else {
      assert.deepEqual(answer, difference.ours, label);
    }
  }

  for (const [method, cases] of Object.entries(reading)) {
    it(`${method}, ${cases.length} cases`, async () => {
      const tree = makeTree();
      try {
        for (const one of cases) await compare(one, tree, tree);
      } finally {
        tree.remove();
      }
    });
  }

  for (const [method, cases] of Object.entries(writing)) {
    it(`${method}, ${cases.length} cases, and leave the same behind`, async () => {
      for (const one of cases) {
        const trees = { our: makeTree(), real: makeTree() };
        try {
          await compare(one, trees.our, trees.real);
          const label = `${method} ${JSON.stringify(one.params)}`;
          if (!differences.some(({ cases: some }) => some.test(label))) {
            assert.deepEqual(trees.our.describe(), trees.real.describe(), label);
          }
        } finally {
          trees.our.remove();
          trees.real.remove();
        }
      }
    });
  }
});

async function ask(client: RawClient, tree: Tree, method: string, params: object): Promise<unknown> {
  const text = JSON.stringify(params).replaceAll('"U/', `"${tree.uri}/`);
  const { result, error } = await client.ask(method, JSON.parse(text));
  return normalise({ result, error: error && withoutOwnWords(error) }, tree);
}

/** An answer without the parts that differ between two runs of the same server as well. */
function normalise(answer: object, tree: Tree): unknown {
  const text = JSON.stringify(answer).replaceAll(tree.uri, 'U').replaceAll(tree.folder, 'U');
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'createdAtMs') return typeof value;
    if (name === 'modifiedAtMs') return typeof value;
    const unsorted = Array.isArray(value) && name === 'entries' && text.includes('"fileName"');
    return unsorted ? value.map((entry) => JSON.stringify(entry)).sort() : value;
  }) as unknown;
}
