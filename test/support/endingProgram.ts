import { endOnSignal } from '../../src/server/programEnd.js';

/**
 * A program for the tests of `endOnSignal`: says when it begins to end, and never does it by itself. It also says when
 * `endOnSignal` has heard a signal: the listeners of `endOnSignal` come before those of this program.
 */
const say = (text: string) => process.stdout.write(`${text}\n`);
const end = endOnSignal(() => say('ending'));

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => say(`heard ${signal}`));
}
process.stdin.on('data', end);
process.on('exit', (code) => say(`exit ${code}`));
say('ready');
