import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { makeServerHome } from '../../support/execServer.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import type { Random } from '../../support/random.js';
import type { Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';
import { connectThroughBridge, endServerOf } from './sessionServer.js';

/**
 * The place of a host's programs: in itself, in a server at the end of a bridge, or in the session server of the
 * machine.
 */
export type HostKind = 'local' | 'server' | 'machine';

const LATEST_MS = 250;
/** The most programs that a host starts. */
const AT_ONCE = 6;

/** After a kill of a host that runs its processes itself, nothing of them is left. */
export async function killHost(random: Random, tally: Tally): Promise<void> {
  const home = makeServerHome();
  await killAtAnyMoment('local', home.folder, random, tally);
  await untilNothingRuns(home.folder, 'after the host', tally);
  await home.remove();
}

/**
 * After a kill of the host, the programs that it knew in a server that owns its sessions go on. Another host is told
 * so.
 */
export async function killHostOfServer(random: Random, tally: Tally): Promise<void> {
  const home = makeServerHome();
  const started = await killAtAnyMoment('server', home.folder, random, tally);
  const heir = await connectThroughBridge(home);
  const listed = await heir.list();
  const running = listed.filter(({ state }) => state === 'running').map(({ pid }) => pid);
  for (const pid of started) {
    if (!running.includes(pid)) tally.fault('after the host: a process is lost');
  }
  for (const { pid = 0, state } of listed) {
    if (state !== 'running' || !(await isRunning(pid)))
      tally.fault(`after the host: a process is not ${state}`);
  }
  heir.disconnect();
  await endServerOf(home);
  await untilNothingRuns(home.folder, 'after the host and the server', tally);
  await home.remove();
}

/** @returns the pids that the host has told of. */
export async function killAtAnyMoment(
  kind: HostKind,
  folder: string,
  random: Random,
  tally: Tally,
): Promise<readonly number[]> {
  const host = startHost(kind, folder, AT_ONCE, random.between(0, 1_000_000));
  let said = '';
  host.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const over = once(host, 'close');
  // On a busy machine, nothing would have been started yet after a time alone.
  const count = random.between(0, AT_ONCE);
  await until(() => said.split('\n').length - 2 >= count || host.exitCode !== null);
  await delay(random.between(0, LATEST_MS));
  if (!host.kill('SIGKILL')) tally.fault('the host has ended by itself');
  await over;
  const [, ...lines] = said.split('\n').slice(0, -1);
  for (const line of lines) {
    if (!/^\d+$/.test(line)) tally.fault(`the host says: ${line}`);
  }
  tally.count('processes that were told of', lines.length);
  return lines.map(Number);
}

function startHost(kind: HostKind, folder: string, count: number, seed: number): ChildProcess {
  const program = path.resolve('test/faults/attacks/host.ts');
  return spawn(process.execPath, ['--import', 'tsx', program, kind, folder, String(count), String(seed)], {
    // It goes on until it is killed, and ends with this process.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
