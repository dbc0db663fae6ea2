import fs from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';

import { temporaryFolder } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';

/** Programs of the benchmark that run in processes of their own. */
export interface BenchPrograms {
  readonly worker: string;
  readonly loadExtension: string;
  readonly vscodeHost: string;
  readonly bareServer: string;
}

/**
 * Bundles them as esbuild.mjs bundles the shipped programs, so that the local and the remote backend are measured in
 * the code that users run. The bundles are in the repository, so that node-pty is found.
 */
export function bundlePrograms(): Promise<BenchPrograms> {
  return (bundled ??= bundle());
}

let bundled: Promise<BenchPrograms> | undefined;

async function bundle(): Promise<BenchPrograms> {
  const out = path.join(root, 'out');
  fs.mkdirSync(out, { recursive: true });
  const folder = fs.mkdtempSync(path.join(out, 'bench-'));
  temporaryFolder(folder);
  const common: BuildOptions = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false },
    external: ['vscode', 'node-pty'],
    minify: true,
    logLevel: 'warning',
  };
  await build({
    ...common,
    entryPoints: {
      loadExtension: 'test/bench/loadExtension.ts',
      vscodeHost: 'test/bench/vscode/host.ts',
      bareServer: 'test/bench/bareServer.ts',
    },
  });
  await build({
    ...common,
    entryPoints: { worker: 'test/bench/worker/main.ts' },
    alias: { vscode: path.join(root, 'test/bench/worker/vscodeStandIn.ts') },
    external: ['node-pty'],
  });
  const file = (name: string): string => path.join(folder, `${name}.js`);
  return {
    worker: file('worker'),
    loadExtension: file('loadExtension'),
    vscodeHost: file('vscodeHost'),
    bareServer: file('bareServer'),
  };
}
