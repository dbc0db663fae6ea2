import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { temporaryFolder } from '../../rig/lifetime.js';
import { bundlePrograms } from '../bundle.js';
import { startOurs } from '../contenders.js';
import type { Claim, Measurement, Samples } from '../measurement.js';
import { fileSource } from '../source.js';
import { flood, interrupt, type FloodFiles } from '../vscode/flood.js';
import type { TerminalKind } from '../vscode/messages.js';
import { startVsCode } from '../vscode/window.js';

const MIB = 1024 * 1024;
const SIZES = {
  full: { rounds: 3, bytes: 100 * MIB },
  quick: { rounds: 2, bytes: 16 * MIB },
  check: { rounds: 1, bytes: 16 * MIB },
} as const;
const ENVIRONMENT = 'socket';
/** Has a VS Code of its own, since the sessions of this machine are either in a server or in the extension host. */
const SERVER = 'session-server';
/** The bound for 100 MiB and for 16. An extension that hands over everything at once grew by up to 137 for 16 MiB. */
const MOST_GROWN_MB = 128;

const kinds: Readonly<Record<string, TerminalKind>> = {
  'vscode': { own: true },
  'session': { own: false, environment: 'local' },
  'session-unix': { own: false, environment: ENVIRONMENT },
  [SERVER]: { own: false, environment: 'local' },
};

/** A flood of text, through to the screen. */
export const terminal: Measurement = {
  name: 'terminal',
  title: 'A flood of text in the real VS Code',
  about:
    '`cat` of 100 MiB of numbered lines (16 MiB in short runs) in a terminal of VS Code: its own (`vscode`), one of ours ' +
    'through the local backend (`session`) and through our server on a Unix socket (`session-unix`), all in the same ' +
    'window of a headless browser; and one of ours in a second VS Code, which has the sessions of this machine in its session ' +
    'server (`session-server`). `rate` is until the last line is on the screen, where the lines above it are checked as ' +
    'far as the scrollback goes, and all lines are counted. `stall` is the longest time that the extension host did nothing else meanwhile, `grown` by ' +
    'how much its memory grew. `interrupt` is from the press of Ctrl-C, in the middle of an endless flood, to the signal in ' +
    'the program.',
  quantities: [
    { name: 'rate', unit: 'MB/s', better: 'higher', statistics: ['p50'] },
    { name: 'stall', unit: 'ms', better: 'lower', statistics: ['p50'] },
    { name: 'grown', unit: 'MB', better: 'lower', statistics: ['p50'] },
    { name: 'interrupt', unit: 'ms', better: 'lower', statistics: ['p50'] },
  ],
  claims: [
    { quantity: 'rate', statistic: 'p50', of: SERVER, to: 'session', atLeast: 0.85 },
    ...['session', 'session-unix', SERVER].flatMap((of): Claim[] => [
      { quantity: 'rate', statistic: 'p50', of, to: 'vscode', atLeast: 2.5 },
      { quantity: 'stall', statistic: 'p50', of, atMost: 50 },
      { quantity: 'grown', statistic: 'p50', of, atMost: MOST_GROWN_MB },
      { quantity: 'interrupt', statistic: 'p50', of, atMost: 100 },
    ]),
  ],
  onRequest: true,
  async open(options) {
    const { rounds, bytes } = SIZES[options.scale];
    const programs = await bundlePrograms();
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-flood-')));
    const remove = temporaryFolder(folder);
    const text = path.join(folder, 'text');
    const { expectedBytes, lines } = fileSource(text, bytes, true);
    const { server, address } = await startOurs(options.dist, 'unix');
    const socket = address.kind === 'unix' ? address.path : '';
    const vscode = await startVsCode({
      hostProgram: programs.vscodeHost,
      environments: [
        {
          id: ENVIRONMENT,
          kind: 'command',
          argv: [
            process.execPath,
            path.join(options.dist, 'exec-server.js'),
            'bridge',
            '--stdio',
            '--socket',
            socket,
          ],
        },
      ],
    });
    const window = await vscode.openDriven();
    const contenders = Object.keys(kinds).filter((name) => options.contenders?.has(name) !== false);
    const second = contenders.includes(SERVER)
      ? await startVsCode({ hostProgram: programs.vscodeHost, backend: 'server' })
      : undefined;
    const secondWindow = await second?.openDriven();
    const files = (name: string): FloodFiles => ({
      text,
      lines,
      expectedBytes,
      prefix: path.join(folder, name),
    });
    const run = async (name: string, round: number): Promise<Samples> => {
      const kind = kinds[name] ?? { own: true };
      const where = name === SERVER ? (secondWindow ?? window) : window;
      const { rate, stallMs, grownBytes } = await flood(where, kind, files(`${name}-${round}`));
      const interruptMs = await interrupt(where, kind, files(`${name}-${round}`));
      return {
        rate: [rate],
        interrupt: [interruptMs],
        stall: [stallMs],
        grown: [grownBytes / 1e6],
      };
    };
    return {
      contenders,
      rounds: options.rounds ?? rounds,
      notes: [],
      run,
      close: async () => {
        await second?.close();
        await vscode.close();
        await server.stop();
        await remove();
      },
    };
  },
};
