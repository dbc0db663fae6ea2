import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type Clock, type ExecProcess, systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { OutputFolder } from '../../src/machine/index.js';
import { DiskLimits } from '../../src/server/outputFiles/diskLimits.js';
import { OutputFiles } from '../../src/server/outputFiles/outputFiles.js';
import { describeOnLinux } from '../support/onLinux.js';
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

describeOnLinux('A folder with output that two servers share', () => {
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
  const namesOnDisk = () => [...new Set(fs.readdirSync(folder).map((file) => file.split('.')[0]))].sort();
  /** How many files this process still has open that were removed from the folder. */
  const removedButOpen = () => openFiles().filter((file) => file.endsWith(' (deleted)')).length;
  const openFiles = () =>
    fs
      .readdirSync('/proc/self/fd')
      .map((fd) => linkOf(`/proc/self/fd/${fd}`))
      .filter((file) => file.startsWith(folder));
  const linkOf = (file: string) => {
    try {
      return fs.readlinkSync(file);
    } catch {
      // It was open for a moment only.
      return '';
    }
  };

  it('has no more than the limit, and a quiet server learns what is not kept any more', async () => {
    const quiet = serve(100 * ALL);
    const ended = await quiet.start('ended');
    const runs = await quiet.start('runs');
    await quiet.print(ended, 500);
    await quiet.print(runs, 500);
    await ended.closeStdin();
    await until(() => ended.info().state, 'closed');
    assert.deepEqual(
      [ended, runs].map((process) => process.info().metadata['outputKept']),
      [true, true],
    );
    const busy = serve(ALL);
    const more = await busy.start('more');
    await busy.print(more, 900);
    await until(() => namesOnDisk().join(), 'more');
    await until(() => ended.info().metadata['outputKept'], undefined);
    // The room on the disk is free only then.
    await until(() => removedButOpen(), 0);
    assert.deepEqual(await quiet.kept(ended), { kept: 0, missing: 0 });
    assert.deepEqual(await busy.kept(more), { kept: 900, missing: 0 });
    // The output of running processes is kept from there on, and the gap is counted.
    await quiet.print(runs, 100);
    assert.deepEqual(await quiet.kept(runs), { kept: 100, missing: 500 });
    assert.equal(runs.info().metadata['outputKept'], true);
    assert.deepEqual([...quiet.lines, ...busy.lines], []);
  });

  it('keeps what another server still writes, and lets go of what has ended first, though that is newer', async () => {
    const quiet = serve(100 * ALL);
    const runs = await quiet.start('runs');
    await quiet.print(runs, 300);
    const ended = await quiet.start('ended');
    await quiet.print(ended, 500);
    await ended.closeStdin();
    await until(() => ended.info().state, 'closed');
    await until(
      () => openFiles(),
      (seen) => seen.every((file) => !file.includes('ended')),
    );
    const busy = serve(ALL);
    const more = await busy.start('more');
    await busy.print(more, 600);
    await until(
      () => namesOnDisk(),
      (seen) => !seen.includes('ended'),
    );
    assert.deepEqual(namesOnDisk(), ['more', 'runs']);
    assert.deepEqual(await quiet.kept(runs), { kept: 300, missing: 0 });
    // Where nothing has ended, the oldest goes, and its server knows.
    await busy.print(more, 400);
    await until(() => namesOnDisk().join(), 'more');
    await quiet.print(runs, 1);
    assert.deepEqual(await quiet.kept(runs), { kept: 1, missing: 300 });
    assert.deepEqual(await busy.kept(more), { kept: 1000, missing: 0 });
  });

  it('is also checked for files removed before the watch began', async () => {
    const server = serve(ALL);
    const ended = await server.start('ended');
    await server.print(ended, 10);
    await ended.closeStdin();
    await until(() => ended.info().state, 'closed');
    assert.equal(ended.info().metadata['outputKept'], true);
    fs.rmSync(path.join(folder, 'ended.0.output'));
    await until(() => ended.info().metadata['outputKept'], undefined);
  });

  it('may have a file that cannot be removed, which is said', async () => {
    const server = serve(ALL);
    const runs = await server.start('runs');
    await server.print(runs, 10);
    const file = path.join(folder, 'runs.0.output');
    fs.rmSync(file);
    fs.mkdirSync(file);
    server.limit(KIB);
    await until(() => server.lines.length > 0);
    assert.match(server.lines[0] ?? '', /^The output of runs cannot be removed from the disk: /);
  });
});
