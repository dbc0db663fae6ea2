import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Ends or removes everything that the rig has started or created, the newest first. It does so however this process
 * ends: normally, by a signal, or by an uncaught error.
 *
 * This is why the rig's programs run under `node --import tsx`. The command `tsx` passes a signal on, and kills us 60
 * ms later if we were too busy to answer (https://github.com/privatenumber/tsx/blob/v4.23.15/src/cli.ts, relaySignals).
 */

type End = () => Promise<void> | void;

const ends: End[] = [];
const lastResorts = new Set<() => void>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let listening = false;
let ending: Promise<void> | undefined;
let signalIsSuccess = false;
let endedBySignal = false;

/** Makes a signal the expected end: from now on this process exits with 0 after one. */
export function expectSignal(): void {
  signalIsSuccess = true;
}

/** Registers `end`; the returned function runs it once and forgets it. */
export function onEnd(end: End): () => Promise<void> {
  listen();
  let ran: Promise<void> | undefined;
  const once = (): Promise<void> =>
    (ran ??= (async () => {
      const index = ends.indexOf(once);
      if (index >= 0) ends.splice(index, 1);
      await end();
    })());
  ends.push(once);
  return once;
}

export function endAll(): Promise<void> {
  return (ending ??= (async () => {
    for (let end = ends.at(-1); end; end = ends.at(-1)) {
      try {
        await end();
      } catch (error) {
        process.stderr.write(`${String(error)}\n`);
      }
    }
    ending = undefined;
  })());
}

/** A variable for processes of the rig: with it a process ends itself when its parent has ended. */
export const endWithParent = 'EXEC_SESSIONS_END_WITH_PARENT';

/**
 * Ends everything after a signal. A second signal changes nothing: a terminal, a shell and npm each pass on the same
 * Ctrl-C.
 */
function endBy(signal: (typeof signals)[number]): void {
  endedBySignal = true;
  void endAll().then(() => process.exit(signalIsSuccess ? 0 : 128 + constants.signals[signal]));
}

/** Whether everything ends because of a signal. */
export function isEndedBySignal(): boolean {
  return endedBySignal;
}

function listen(): void {
  if (listening) return;
  listening = true;
  for (const signal of signals) {
    process.on(signal, () => endBy(signal));
  }
  if (process.env['npm_lifecycle_event'] !== undefined || process.env[endWithParent] !== undefined) {
    // npm runs us through a shell, which dies of a signal without passing it on.
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) endBy('SIGHUP');
    }, 250).unref();
  }
  process.on('exit', () => {
    for (const lastResort of lastResorts) lastResort();
  });
}

/** Registers a synchronous step, for exits that leave no time for more. */
function atExit(lastResort: () => void): () => void {
  listen();
  lastResorts.add(lastResort);
  return () => lastResorts.delete(lastResort);
}

/** How often a folder is removed anew at most, and the time in between, in milliseconds. */
const REMOVALS = 40;
const REMOVAL_MS = 50;

/**
 * Removes a folder, also one in which a program that is ending makes a file meanwhile. The `maxRetries` of Node 20 are
 * no help then: it does not look for the new file.
 */
export function removeFolder(folder: string): void {
  for (let removal = 1; ; removal++) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (removal === REMOVALS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVAL_MS);
    }
  }
}

/** Removes the folder when this process ends, or when the returned function is called. */
export function temporaryFolder(folder: string): () => Promise<void> {
  const remove = (): void => removeFolder(folder);
  const forget = atExit(remove);
  return onEnd(() => {
    remove();
    forget();
  });
}

export interface OwnedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with a description of how it ended. */
  readonly exited: Promise<string>;
  /** A description of how it ended; undefined while it runs. */
  ending(): string | undefined;
  /** Ends the process and all its descendants; resolves with those that had to be killed one by one. */
  stop(): Promise<readonly Survivor[]>;
}

export interface OwnedOptions {
  /**
   * Processes with this text in their environment or working directory count as the child's, whatever their parent is.
   */
  readonly marker?: string;
  /** Called when it has ended, to end what it leaves running on purpose. */
  readonly ended?: () => Promise<void>;
}

/** Starts a program in a process group of its own, so that the whole group can be ended with it. */
export function startOwned(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
  { marker, ended: afterEnd }: OwnedOptions = {},
): Promise<OwnedProcess> {
  const child = spawn(file, args, { ...options, detached: process.platform !== 'win32' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined) throw new Error(`${file} has no process id`);
      let ended: string | undefined;
      const exited = new Promise<string>((done) => {
        child.once('exit', (code, signal) => {
          ended = signal ? `ended by ${signal}` : `exited with ${code ?? 'no code'}`;
          done(ended);
        });
      });
      const forget = atExit(() => {
        const family = familyOf(pid, marker);
        if (ended === undefined) signalGroup(child, pid, 'SIGKILL');
        kill(family);
      });
      let survivors: readonly Survivor[] = [];
      const stop = onEnd(async () => {
        const family = familyOf(pid, marker);
        if (ended === undefined) {
          signalGroup(child, pid, 'SIGTERM');
          await Promise.race([exited, delay(5000, undefined, { ref: false })]);
          signalGroup(child, pid, 'SIGKILL');
          await exited;
        }
        await afterEnd?.();
        survivors = await waitForTheEnd(family, marker);
        kill(survivors);
        forget();
      });
      resolve({
        child,
        pid,
        exited,
        ending: () => ended,
        stop: async () => {
          await stop();
          return survivors;
        },
      });
    });
  });
}

/**
 * Runs a program to its end and returns its output.
 *
 * @throws Error with the output if the program fails.
 */
export async function runOwned(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'shell'>,
): Promise<string> {
  const owned = await startOwned(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [owned.child.stdout, owned.child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await new Promise((resolve) => owned.child.once('close', resolve));
  await owned.stop();
  if (owned.child.exitCode === 0) return output;
  const command = [path.basename(file), ...args].join(' ');
  throw new Error(`${command} ${owned.ending() ?? 'failed'}:\n${output.trim().slice(-4000)}`);
}

function signalGroup(child: ChildProcess, pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // No process is left in the group.
  }
}

export interface Survivor {
  readonly pid: number;
  readonly command: string;
  /** Tells this process from a later one with the same id. */
  readonly started: string;
}

interface Stat extends Survivor {
  readonly parent: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces and brackets: the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const started = fields[19];
    if (state === 'Z' || parent === undefined || started === undefined) return undefined;
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, parent: Number(parent), started, command };
  } catch {
    return undefined;
  }
}

function hasMarker(pid: number, marker: string): boolean {
  try {
    if (fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker)) return true;
    return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(marker);
  } catch {
    return false;
  }
}

function allProcesses(): Stat[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined);
}

/** All processes that descend from `pid` or carry the marker, without `pid` itself. Empty on systems without /proc. */
function familyOf(pid: number, marker: string | undefined): Survivor[] {
  const all = allProcesses();
  const family = new Set([pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const stat of all) {
      if (family.has(stat.parent)) family.add(stat.pid);
    }
  }
  return all.filter(
    (stat) =>
      stat.pid !== pid &&
      stat.pid !== process.pid &&
      (family.has(stat.pid) || (marker !== undefined && hasMarker(stat.pid, marker))),
  );
}

const isAlive = ({ pid, started }: Survivor): boolean => statOf(pid)?.started === started;

/** How long a program that notices its parent's end may clean up before it counts as left behind. */
const graceMs = 5000;

async function waitForTheEnd(family: readonly Survivor[], marker: string | undefined): Promise<Survivor[]> {
  const until = Date.now() + graceMs;
  for (;;) {
    const known = family.filter(isAlive);
    const marked = marker === undefined ? [] : allProcesses().filter(({ pid }) => hasMarker(pid, marker));
    const left = new Map([...known, ...marked].map((survivor) => [survivor.pid, survivor]));
    left.delete(process.pid);
    if (left.size === 0 || Date.now() > until) return [...left.values()];
    await delay(50);
  }
}

function kill(processes: readonly Survivor[]): void {
  for (const survivor of processes) {
    if (!isAlive(survivor)) continue;
    try {
      process.kill(survivor.pid, 'SIGKILL');
    } catch {
      // The process has ended by itself in between.
    }
  }
}
