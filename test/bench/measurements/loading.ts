import fs from 'node:fs';
import path from 'node:path';

import { hasCodex } from '../../rig/codex.js';
import { runOwned } from '../../rig/lifetime.js';
import { vsixFile } from '../../rig/paths.js';
import { startCodexServer } from '../../support/codexServer.js';
import { bundlePrograms } from '../bundle.js';
import { startOurs } from '../contenders.js';
import type { Measurement } from '../measurement.js';

const KB = 1000;

/** The sizes of the shipped files. */
export const sizes: Measurement = {
  name: 'sizes',
  title: 'Sizes of what is shipped',
  about:
    'The programs in `dist/` as they are built, and the universal VSIX if `npm run package` has made one. 1 KB is 1,000 bytes.',
  quantities: [{ name: 'size', unit: 'KB', better: 'lower', statistics: ['p50'] }],
  claims: [
    { quantity: 'size', statistic: 'p50', of: 'extension.js', atMost: 10 },
    { quantity: 'size', statistic: 'p50', of: 'main.js', atMost: 400 },
    { quantity: 'size', statistic: 'p50', of: 'VSIX', atMost: 3000 },
  ],
  open({ dist }) {
    const programs = fs.readdirSync(dist).filter((name) => name.endsWith('.js'));
    const files = new Map(programs.map((name) => [name, path.join(dist, name)]));
    if (fs.existsSync(vsixFile)) {
      files.set('VSIX', vsixFile);
    }
    return Promise.resolve({
      contenders: [...files.keys()],
      rounds: 1,
      notes: files.has('VSIX') ? [] : ['There is no VSIX: `npm run package` makes one.'],
      run: (name) => Promise.resolve({ size: [fs.statSync(files.get(name) ?? '').size / KB] }),
      close: () => Promise.resolve(),
    });
  },
};

const LOAD_ROUNDS = { full: 20, quick: 8, check: 8 } as const;

/** The time until the extension is loaded, or a server listens. */
export const loading: Measurement = {
  name: 'loading',
  title: 'Loading',
  about:
    '`extension`: `require` of `dist/extension.js` in a new Node, with a `vscode` that does nothing. `main`: the same of ' +
    '`dist/main.js`, the rest, which waits for its first use. `ours-ws` and `codex`: from the start of the server until it ' +
    'prints where it listens. `node`: the start of a Node that does nothing.',
  quantities: [{ name: 'load', unit: 'ms', better: 'lower', statistics: ['p50'] }],
  claims: [
    { quantity: 'load', statistic: 'p50', of: 'extension', atMost: 5 },
    { quantity: 'load', statistic: 'p50', of: 'main', atMost: 30 },
    { quantity: 'load', statistic: 'p50', of: 'ours-ws', to: 'node' },
    { quantity: 'load', statistic: 'p50', of: 'ours-ws', to: 'codex' },
  ],
  async open({ scale, rounds, dist }) {
    const programs = await bundlePrograms();
    const load = async (name: string): Promise<number> =>
      Number(await runOwned(process.execPath, [programs.loadExtension, path.join(dist, name)], {}));
    const contenders: Readonly<Record<string, () => Promise<number>>> = {
      'extension': () => load('extension.js'),
      'main': () => load('main.js'),
      'node': () => timed(() => runOwned(process.execPath, ['-e', '0'], {})),
      'ours-ws': () => timedStart(async () => (await startOurs(dist, 'ws')).server),
      ...(hasCodex() && { codex: () => timedStart(() => startCodexServer()) }),
    };
    const once = async (name: string): Promise<number> => (await contenders[name]?.()) ?? Number.NaN;
    return {
      contenders: Object.keys(contenders),
      rounds: rounds ?? LOAD_ROUNDS[scale],
      notes: [],
      // The first time, files are read from the disk.
      warmUp: async (name) => {
        await once(name);
      },
      run: async (name) => ({ load: [await once(name)] }),
      close: () => Promise.resolve(),
    };
  },
};

async function timed(what: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await what();
  return performance.now() - start;
}

/** Times the start alone, without the end. */
async function timedStart(start: () => Promise<{ stop(): Promise<void> }>): Promise<number> {
  const begun = performance.now();
  const server = await start();
  const ms = performance.now() - begun;
  await server.stop();
  return ms;
}
