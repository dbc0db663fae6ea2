import path from 'node:path';

import { ExecError } from '../../../src/core/index.js';
import {
  type Connector,
  RemoteBackend,
  socketConnector,
  webSocketConnector,
} from '../../../src/remote/index.js';
import { utf8 } from '../../support/bytes.js';
import { Cable, type Direction } from '../../support/cable.js';
import { collectEvents, untilOutput } from '../../support/collect.js';
import {
  command,
  ownServer,
  type RunningServer,
  startOwnServer,
  startServer,
} from '../../support/execServer.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';
import { untilNothingRuns } from './leftovers.js';

/** The ways to a server whose bytes can be counted. */
interface Way {
  readonly name: string;
  readonly start: () => Promise<RunningServer>;
  readonly target: (server: RunningServer) => number | string;
  readonly connector: (cable: Cable) => Connector;
}

const ways: readonly Way[] = [
  {
    name: 'WebSocket',
    start: () => startOwnServer(),
    target: ({ port }) => port,
    connector: ({ url }) => webSocketConnector({ url }),
  },
  {
    name: 'Unix socket',
    start: () =>
      startServer((home) => {
        const url = `unix:${path.join(home.folder, 'socket')}`;
        return command([process.execPath, ownServer, '--listen', url], home.env, { cwd: home.folder });
      }),
    target: ({ url }) => url.replace(/^unix:/, ''),
    connector: ({ place }) => socketConnector(String(place)),
  },
];

const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' };
const argv = ['/bin/sh', '-c', 'echo one; read line; echo "$line"; echo three >&2; exit 7'] as const;

/** How far a conversation came: to its end, or to an error that refused it. The error is not part of the output. */
type Ending = 'whole' | 'refused at the connection' | 'refused at the start';

/** One conversation, from the connection to the end of a process. @throws Error if anything is missing or doubled. */
async function converse(connector: Connector, cwd: string): Promise<Ending> {
  let backend: RemoteBackend;
  try {
    backend = await RemoteBackend.connect({ connector, clientName: 'cut', recovery: { firstRetryMs: 1 } });
  } catch (error) {
    return said(error, 'refused at the connection');
  }
  try {
    const process = await backend.start({ processId: 'p', argv, cwd, env, tty: false, pipeStdin: true });
    const collected = collectEvents(process);
    await untilOutput(process, 'one\n');
    await process.write(utf8('two\n'));
    const { stdout, stderr, exit, events } = await collected;
    const numbers = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
    const got = JSON.stringify([stdout, stderr, exit?.exitCode, events.at(-1)?.type, numbers]);
    const expected = numbers.map((_, index) => index + 1);
    if (got !== JSON.stringify(['one\ntwo\n', 'three\n', 7, 'closed', expected])) throw new Error(got);
    return 'whole';
  } catch (error) {
    return said(error, 'refused at the start');
  } finally {
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  }
}

/** A refusal has to say why, in words of ours. */
function said(error: unknown, ending: Ending): Ending {
  if (error instanceof ExecError && error.message !== '') return ending;
  throw error;
}

const SIDE_BY_SIDE = 8;

/** Cuts the cable after certain bytes of the same conversation, in both directions on both transports. */
export const everyByte: Attack = {
  name: 'The cable is cut behind a byte of a conversation, one after the other',
  unit: 'cuts',
  amount: { short: 160, long: Number.POSITIVE_INFINITY },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    for (const way of ways) {
      const server = await way.start();
      try {
        const cuts = await places(way, server);
        const chosen = amount < cuts.length ? sample(cuts, Math.ceil(amount / ways.length), random) : cuts;
        await cutEach(way, server, chosen, tally);
        await untilNothingRuns(server.folder, way.name, tally);
      } finally {
        await server.stop();
      }
    }
    return tally;
  },
};

interface Cut {
  readonly direction: Direction;
  readonly bytes: number;
}

/** Every place of an undisturbed conversation. */
async function places(way: Way, server: RunningServer): Promise<readonly Cut[]> {
  const cable = await Cable.open(way.target(server));
  try {
    await converse(way.connector(cable), server.folder);
    return (['toServer', 'toClient'] as const).flatMap((direction) =>
      Array.from({ length: cable.passed[direction] }, (_, bytes) => ({ direction, bytes })),
    );
  } finally {
    cable.dispose();
  }
}

function sample<T>(all: readonly T[], count: number, random: Random): readonly T[] {
  const rest = [...all];
  return Array.from({ length: count }, () => rest.splice(random.between(0, rest.length - 1), 1)).flat();
}

async function cutEach(way: Way, server: RunningServer, cuts: readonly Cut[], tally: Tally): Promise<void> {
  const queue = [...cuts];
  const work = async () => {
    const cable = await Cable.open(way.target(server));
    for (let cut = queue.shift(); cut !== undefined; cut = queue.shift()) {
      const { bytes, direction } = cut;
      void cable.cutAfter(bytes, direction);
      const name = `${way.name}, ${direction}, byte ${bytes}`;
      try {
        const ending = await inTime(converse(way.connector(cable), server.folder));
        if (ending === undefined) tally.fault(`${name}: it did not end`);
        else tally.count(ending.value);
      } catch (error) {
        tally.fault(`${name}: ${String(error)}`);
      }
    }
    cable.dispose();
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}
