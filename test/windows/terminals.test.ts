import assert from 'node:assert/strict';

import type { ExecProcess, StartParams } from '../../src/core/index.js';
import type { RemoteBackend } from '../../src/remote/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { until } from '../support/until.js';
import { connect, CONRUN, isAlive, startProgram, startWindows, type Windows } from './setup.js';

const GRACE_MS = { interrupt: 100, hangup: 0, terminate: 0, kill: 10_000 };

describe('Processes on Windows', () => {
  let windows: Windows;
  let backend: RemoteBackend;

  before(async () => {
    windows = await startWindows();
    backend = await connect((await windows.startServer()).url);
  });

  after(async () => {
    await backend.shutdown();
    await windows.stop();
  });

  /** A program that ends by force alone, and has started another one; `mark` is in the arguments of both. */
  async function startTree(mark: string, some: Partial<StartParams> = {}): Promise<ExecProcess> {
    const endless = `process.on('SIGINT',()=>{});setInterval(()=>{},1e3)/*${mark}*/`;
    const child = `require('child_process').spawn(process.execPath,['-e',${JSON.stringify(endless)}],{stdio:'ignore'})`;
    const program = [windows.node, '-e', `${child};${endless};console.log('up')`];
    const argv = some.tty === true ? [CONRUN, ...program] : program;
    const process = await startProgram(backend, { ...some, argv });
    await untilOutput(process, 'up');
    assert.ok(isAlive(mark));
    return process;
  }

  describe('on a terminal', () => {
    it('are typed into, have the size of the terminal, and exit with their code', async () => {
      const process = await startProgram(backend, {
        argv: [CONRUN, 'cmd.exe'],
        tty: true,
        size: { columns: 100, rows: 30 },
        env: { FOO: 'bar' },
      });
      const ended = collectEvents(process);
      await untilOutput(process, '>');
      const type = (text: string) => process.write(Buffer.from(`${text}\r`));
      await type('echo [%FOO% äö€]');
      await untilOutput(process, '[bar äö€]');
      await type(`"${windows.node}" -p "'size '+process.stdout.columns+'x'+process.stdout.rows"`);
      await untilOutput(process, 'size 100x30');
      await type('exit 7');
      assert.deepEqual((await ended).exit, { exitCode: 7 });
    });

    it('have their own process number, also in the list', async () => {
      const processes = [];
      for (const name of ['one', 'two']) {
        processes.push(await startProgram(backend, { argv: ['cmd.exe', `/k rem ${name}`], tty: true }));
      }
      const pids = processes.map((process) => process.info().pid ?? 0);
      assert.ok(pids.every((pid) => pid > 0) && pids[0] !== pids[1], String(pids));
      const listed = (await backend.list()).map(({ pid }) => pid);
      assert.ok(pids.every((pid) => listed.includes(pid)));
      await Promise.all(processes.map((process) => process.terminate()));
    });
  });

  for (const tty of [false, true]) {
    describe(tty ? 'and what they have started, on a terminal' : 'and what they have started', () => {
      it('end with Stop', async () => {
        const mark = `stop-${String(tty)}-${windows.folder}`;
        const process = await startTree(mark, { tty });
        const report = await process.stop({ graceMs: GRACE_MS });
        assert.deepEqual([report.exited, report.survivors], [true, []]);
        assert.equal(report.steps[0], tty ? 'interrupt' : 'kill');
        await until(() => !isAlive(mark));
      });

      it('end with Kill', async () => {
        const mark = `kill-${String(tty)}-${windows.folder}`;
        const process = await startTree(mark, { tty });
        assert.deepEqual(await process.terminate(), { running: true });
        await until(() => !isAlive(mark));
      });

      it('end with SIGKILL', async () => {
        const mark = `signal-${String(tty)}-${windows.folder}`;
        const process = await startTree(mark, { tty });
        const exited = untilEvent(process, 'exited');
        await process.signal('SIGKILL');
        await exited;
        await until(() => !isAlive(mark));
      });
    });
  }

  it('take only signals that have an effect of their own', async () => {
    assert.deepEqual(backend.capabilities.signals, ['SIGINT', 'SIGKILL']);
    const process = await startTree(`signals-${windows.folder}`);
    await assertRejects(process.signal('SIGINT'), -32600, /Windows interrupts nothing else/);
    for (const name of ['SIGTERM', 'SIGHUP', 'SIGWINCH']) {
      await assertRejects(process.signal(name), -32602, /"signal" is wrong|unknown signal/);
    }
    assert.equal(process.info().state, 'running');
    await process.terminate();
  });

  it('end with their server when it is killed', async () => {
    const server = await windows.startServer();
    const other = await connect(server.url);
    const mark = `guard-${windows.folder}`;
    const script = `require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)/*${mark}*/']);console.log('up');setInterval(()=>{},1e3)`;
    for (const tty of [false, true]) {
      const argv = [...(tty ? [CONRUN] : []), windows.node, '-e', `${script}/*${mark}*/`];
      await untilOutput(await startProgram(other, { argv, tty }), 'up');
    }
    await until(() => isAlive(mark));
    server.kill();
    await until(() => !isAlive(mark));
    await other.shutdown();
  });
});
