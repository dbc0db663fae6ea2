import path from 'node:path';

import type { ExecBackend } from '../../../src/core/index.js';
import { bundledGuard, LocalBackend } from '../../../src/local/index.js';
import { ownServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { connectThroughBridge } from './sessionServer.js';
import { lasting } from './shapes.js';

const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };

/**
 * A host as VS Code has one for extensions, for attacks that kill it: says that it begins, and the pid of each program
 * that has started, in lines.
 *
 *     node --import tsx host.ts local|server FOLDER COUNT SEED
 */
async function main(kind: string, folder: string, count: number, seed: number): Promise<void> {
  const backend: ExecBackend =
    kind === 'server'
      ? await connectThroughBridge({ folder, env: { ...env, HOME: folder } })
      : localBackend();
  const random = new Random(seed);
  process.stdout.write('begins\n');
  const starts = Array.from({ length: count }, async (_, index) => {
    const argv = ['bash', '-c', random.of(lasting).script];
    const tty = random.next() < 0.5;
    const started = await backend.start({ processId: `p${index}`, argv, cwd: folder, env, tty });
    process.stdout.write(`${started.info().pid}\n`);
  });
  await Promise.all(starts);
  process.stdin.resume();
}

function localBackend(): LocalBackend {
  const giveUp = () => process.stdout.write('the guard cannot run\n');
  return new LocalBackend({ guard: bundledGuard(path.dirname(ownServer), giveUp) });
}

const [kind = '', folder = '', count, seed] = process.argv.slice(2);
void main(kind, folder, Number(count), Number(seed));
