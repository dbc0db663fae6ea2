import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type Clock, type ExecProcess, systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { OutputFolder } from '../../src/machine/index.js';
import { DiskLimits } from '../../src/server/outputFiles/diskLimits.js';
import { OutputFiles } from '../../src/server/outputFiles/outputFiles.js';
import { outputFilesIn } from '../support/longOutput.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

const KIB = 1024;
const ALL = 1200 * KIB;
/** The servers look at the folder every 100 ms instead of every two seconds. */
const clock: Clock = { ...systemClock, after: (delayMs, run) => systemClock.after(delayMs / 20, run) };

/** The part of a session server that puts output on disk. Several may be in one process. */
class Server {
  readonly backend = new LocalBackend({ clock });
  readonly lines: string[] = [];
  readonly #limits = new DiskLimits();
  readonly #files: OutputFiles;

  constructor(folder: string, allBytes: number) {
    this.#limits.set({ keep: true, bytes: 20 * ALL, allBytes });
    this.#files = new OutputFiles({
      backend: this.backend,
      clock,
      folder: new OutputFolder(folder),
      limits: this.#limits,
      log: (line) => this.lines.push(line),
    });
  }

  /** Starts one that prints as many KiB as it is told, and ends with its input. */
  async start(processId: string): Promise<ExecProcess> {
    const script = 'while read kib; do yes 0123456789abcde | head -c $((kib * 1024)); done';
    return this.backend.start({ ...params({ argv: sh(script) }), processId, owned: true, pipeStdin: true });
  }

  async print(process: ExecProcess, kib: number): Promise<void> {
    const { bytes } = process.info().output;
    await process.write(Buffer.from(`${kib}\n`));
    await until(() => process.info().output.bytes, bytes + kib * KIB);
    await this.kept(process);
  }

  limit(allBytes: number): void {
    this.#limits.set({ keep: true, bytes: 20 * ALL, allBytes });
    this.#files.changed();
  }

  /** The output on disk, and the missing earlier output, in KiB. */
  async kept({ processId }: ExecProcess) {
    const { chunks, missing } = await this.#files.read(processId, { afterSeq: 0, maxBytes: ALL });
    return {
      kept: chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / KIB,
      missing: missing.reduce((sum, { bytes = Number.NaN }) => sum + bytes, 0) / KIB,
    };
  }

  async end(): Promise<void> {
    this.#files.leave();
    await this.backend.shutdown();
    await this.#files.end();
  }
}

describe('A folder with output that two servers share', () => {
  let folder: string;
  let servers: Server[];
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-two-'));
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.end()));
    fs.rmSync(folder, { recursive: true });
  });

  const serve = (allBytes: number) => {
    const server = new Server(folder, allBytes);
    servers.push(server);
    return server;
  };
  const namesOnDisk = () => [...new Set(outputFilesIn(folder).map(nameOf))].sort();
  const nameOf = (file: string) => path.basename(file).split('.')[1];

  it('keeps the output of each of them up to its own limit, whatever the other one has', async () => {
    const [one, other] = [serve(ALL), serve(ALL)];
    const [first, second] = [await one.start('first'), await other.start('second')];
    await one.print(first, 900);
    await other.print(second, 900);
    const more = await other.start('more');
    await other.print(more, 500);
    await until(() => namesOnDisk().join(), 'first,more');
    assert.deepEqual(await one.kept(first), { kept: 900, missing: 0 });
    // The output of running processes is kept from there on, and the gap is counted.
    await other.print(second, 100);
    assert.deepEqual(await other.kept(second), { kept: 100, missing: 900 });
    assert.deepEqual([...one.lines, ...other.lines], []);
  });

  it('has a sign of life of each server that has written, every half minute', async () => {
    const server = serve(ALL);
    await server.print(await server.start('runs'), 1);
    const owner = path.join(folder, fs.readdirSync(folder).find((file) => file.endsWith('.owner')) ?? '');
    fs.utimesSync(owner, 1, 1);
    await until(() => fs.statSync(owner).mtimeMs > 1_000);
  });

  it('may have a file that cannot be removed, which is said', async () => {
    const server = serve(ALL);
    const runs = await server.start('runs');
    await server.print(runs, 10);
    const [file = ''] = outputFilesIn(folder);
    fs.rmSync(file);
    fs.mkdirSync(file);
    server.limit(KIB);
    await until(() => server.lines.length > 0);
    assert.match(server.lines[0] ?? '', /^The output of runs cannot be removed from the disk: /);
  });
});
