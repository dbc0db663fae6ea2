import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ExecEvent } from '../../../src/core/index.js';
import { type Connector, RemoteBackend } from '../../../src/remote/index.js';
import { RawClient } from '../../server/rawClient.js';
import { utf8 } from '../../support/bytes.js';
import { type Collected, collectEvents } from '../../support/collect.js';
import { until } from '../../support/until.js';
import type { Line } from './lines.js';
import { type Cut, storm } from './weather.js';

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';
const PRINTERS = 10;

/** The most lines of a printer, 100 bytes each: less than a server retains, so nothing may be missing. */
const MOST_LINES = 9_000;

/** Prints 50 KB of numbered lines a second, until there are enough or the file is there; then their number. */
const PRINTER = `$| = 1; my ($most, $file) = @ARGV; my $n = 0;
while ($n < $most && !-e $file) {
  my $some = '';
  $some .= sprintf("%06d %s\\n", ++$n, 'x' x 92) for 1..10;
  print $some;
  print STDERR "$n\\n" if $n % 200 == 0;
  select(undef, undef, undef, 0.02);
}
print "end $n\\n"; exit 7;`;

/** Prints each line that it reads, up to the last one. */
const ECHO = `$| = 1; while (<STDIN>) { print; last if /^end$/ } exit 7`;

/** The outcome of a round; all but the first three should be 0. */
export interface Tally {
  cuts: number;
  numbers: number;
  writes: number;
  /** Numbers that the server retains, and lines that were printed, which did not arrive. */
  missing: number;
  doubled: number;
  writesMissing: number;
  writesRepeated: number;
  /** Processes that were lost, or whose exit was. */
  sessionsLost: number;
}

/**
 * Runs processes that print, and one that echoes, while the cable is cut. Compares the arrived output with the printed
 * output, and with the output that the server retains.
 *
 * @param name Names the round's files.
 */
export async function round(line: Line, cuts: readonly Cut[], name: string): Promise<Tally> {
  const heard = new Heard();
  const backend = await RemoteBackend.connect({
    connector: heard.through(line.connector),
    clientName: 'cuts',
  });
  const stop = path.join(line.folder, `stop-${name}`);
  const run = async (script: string, ...args: readonly string[]) => {
    const argv = ['perl', '-e', script, ...args];
    const processId = `p${heard.processes.length}`;
    const pipeStdin = script === ECHO;
    const process = await backend.start({ processId, argv, cwd: '/', env: { PATH }, tty: false, pipeStdin });
    return { process, collected: collectEvents(process) };
  };
  const echo = await run(ECHO);
  const printers = [];
  for (let index = 0; index < PRINTERS; index++) {
    // Some end by themselves, perhaps while there is no connection.
    printers.push(await run(PRINTER, String(index % 3 === 0 ? 300 * (index + 1) : MOST_LINES), stop));
  }
  const writes: Promise<unknown>[] = [];
  const write = (text: string) =>
    writes.push(echo.process.write(utf8(text)).catch((error: unknown) => error));
  const calm = new AbortController();
  const writing = (async () => {
    while (!calm.signal.aborted) {
      write(`${writes.length}\n`);
      await delay(10);
    }
  })();
  await storm(line.cable, cuts);
  calm.abort();
  await writing;
  writeFileSync(stop, '');
  write('end\n');
  const all = await Promise.all([echo, ...printers].map(({ collected }) => collected));
  await until(() => backend.connection.kind !== 'recovering');
  backend.disconnect();
  const retained = await heard.retained(line.connector);
  const [echoed, ...printed] = all;
  return {
    cuts: cuts.length,
    writes: writes.length,
    numbers: all.reduce((total, { events }) => total + events.length, 0),
    missing:
      count(all, ({ events }, index) => missing(events, retained[index])) +
      count(printed, ({ stdout }) => missingLines(stdout)),
    doubled:
      count(all, ({ events }) => doubled(events)) + count(printed, ({ stdout }) => doubledLines(stdout)),
    writesMissing: writes.length - new Set(linesOf(echoed?.stdout)).size,
    writesRepeated: doubledLines(echoed?.stdout ?? ''),
    sessionsLost: count(all, ({ exit }) => (exit?.exitCode === 7 ? 0 : 1)),
  };
}

/** The names on the wire that a client hears. */
class Heard {
  sessionId = '';
  readonly processes: string[] = [];

  through(connector: Connector): Connector {
    return {
      ...connector,
      connect: async (signal) => {
        const transport = await connector.connect(signal);
        return new Proxy(transport, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
          set: (target, name, value: unknown) => {
            if (name !== 'onMessage' || typeof value !== 'function')
              return Reflect.set(target, name, value, target);
            target.onMessage = (message) => {
              this.#hear(message);
              Reflect.apply(value, undefined, [message]);
            };
            return true;
          },
        });
      },
    };
  }

  /** Takes the session over, and reads what the server retains of each process: the numbers of its output. */
  async retained(connector: Connector): Promise<readonly (readonly number[])[]> {
    const resume = async (): Promise<RawClient | undefined> => {
      const client = new RawClient(await connector.connect(new AbortController().signal));
      const { error } = await client.ask('initialize', {
        clientName: 'witness',
        resumeSessionId: this.sessionId,
      });
      if (error === undefined) return client;
      client.transport.destroy('the session is busy');
      return undefined;
    };
    let client = await resume();
    while (client === undefined) client = await resume();
    client.notify('initialized');
    const numbers = [];
    for (const processId of this.processes) {
      const { chunks } = await client.request('process/read', { processId, afterSeq: 0, waitMs: 0 });
      numbers.push((chunks as { readonly seq: number }[]).map(({ seq }) => seq));
    }
    client.transport.close();
    return numbers;
  }

  #hear(message: string): void {
    const { result } = JSON.parse(message) as { readonly result?: Readonly<Record<string, unknown>> };
    if (typeof result?.['sessionId'] === 'string') this.sessionId = result['sessionId'];
    if (typeof result?.['processId'] === 'string') this.processes.push(result['processId']);
  }
}

function count<T>(all: readonly T[], of: (one: T, index: number) => number): number {
  return all.reduce((total, one, index) => total + of(one, index), 0);
}

function seqsOf(events: Collected['events']): number[] {
  return events.flatMap((event: ExecEvent) => ('seq' in event ? [event.seq] : []));
}

function missing(events: Collected['events'], retained: readonly number[] = []): number {
  const seqs = new Set(seqsOf(events));
  return retained.filter((seq) => !seqs.has(seq)).length;
}

function doubled(events: Collected['events']): number {
  const seqs = seqsOf(events);
  return seqs.length - new Set(seqs).size;
}

function linesOf(text = ''): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The lines that are missing up to the last one, which says how many there are. */
function missingLines(stdout: string): number {
  const lines = linesOf(stdout);
  const printed = Number(/^end (\d+)$/.exec(lines.at(-1) ?? '')?.[1] ?? MOST_LINES);
  return printed + 1 - new Set(lines).size;
}

function doubledLines(text: string): number {
  const lines = linesOf(text);
  return lines.length - new Set(lines).size;
}
