import path from 'node:path';

import type { ExecBackend } from '../../../src/core/index.js';
import { bundledGuard, LocalBackend } from '../../../src/local/index.js';
import { ownServer } from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { connectThroughBridge, connectToMachine } from './sessionServer.js';
import { counting, lasting } from './shapes.js';

const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };

/**
 * A host like that of VS Code's extensions, for attacks that kill it. Its lines say that it begins, and the pid of each
 * program that has started.
 *
 *     node --import tsx host.ts local|server|machine FOLDER COUNT SEED
 */
async function main(kind: string, folder: string, count: number, seed: number): Promise<void> {
  const backend = await backendOf(kind, folder);
  const random = new Random(seed);
  process.stdout.write('begins\n');
  const starts = Array.from({ length: count }, async (_, index) => {
    // Programs of a session server go on after the host, so this one has to end by itself.
    const { script } = kind === 'machine' ? counting : random.of(lasting);
    const argv = ['bash', '-c', script];
    const tty = random.next() < 0.5;
    const started = await backend.start({ processId: `p${index}`, argv, cwd: folder, env, tty, owned: true });
    process.stdout.write(`${started.info().pid}\n`);
  });
  await Promise.all(starts);
  process.stdin.resume();
}

async function backendOf(kind: string, folder: string): Promise<ExecBackend> {
  const home = { folder, env: { ...env, HOME: folder } };
  if (kind === 'server') return connectThroughBridge(home);
  return kind === 'machine' ? (await connectToMachine(home)).backend : localBackend();
}

function localBackend(): LocalBackend {
  const giveUp = () => process.stdout.write('the guard cannot run\n');
  return new LocalBackend({ guard: bundledGuard(path.dirname(ownServer), giveUp) });
}

const [kind = '', folder = '', count, seed] = process.argv.slice(2);
void main(kind, folder, Number(count), Number(seed));
