import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { isExecError } from '../../src/core/index.js';
import { LocalBackend, type LocalBackendOptions } from '../../src/local/index.js';
import { pipeMaker } from '../../src/local/pipes/makePipes.js';
import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { utf8 } from '../support/bytes.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { FakeClock } from '../support/fakeClock.js';
import { command, ownServer, startServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { openFiles, sessionMembers } from '../support/processes.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

const O_NONBLOCK = 0o4000;

describeOnLinux('The pipes of a child @all', () => {
  let backend: LocalBackend;
  let folder: string;
  let file: string;
  const use = (options: LocalBackendOptions = {}) => (backend = new LocalBackend(options));
  const start = (script: string, more: Parameters<typeof startWith>[1] = {}) => startWith(sh(script), more);
  const startWith = (argv: readonly string[], more: Partial<Parameters<typeof params>[0]> = {}) =>
    backend.start(params({ argv, ...more }));

  beforeEach(() => {
    use();
    folder = mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-pipes-'));
    file = path.join(folder, 'file');
  });

  afterEach(async () => {
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
    removeFolder(folder);
  });

  it('are anonymous pipes that block, as programs expect them', async () => {
    assert.equal(backend.capabilities.anonymousPipes, true);
    const child = await start('echo ready; sleep 100', { pipeStdin: true });
    await untilOutput(child, 'ready');
    const pid = child.info().pid ?? assert.fail('no pid');
    for (const fd of [0, 1, 2]) {
      assert.match(openFiles(pid).get(fd) ?? '', /^pipe:/);
      const flags = /flags:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '';
      assert.equal(Number.parseInt(flags, 8) & O_NONBLOCK, 0, `descriptor ${fd} has flags ${flags}`);
    }
  });

  it('can share one, so that everything comes in the order in which it was written', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}\n`);
    const script =
      'i=0; while [ $i -lt 400 ]; do echo "line $i"; echo "line $((i + 1))" >&2; i=$((i + 2)); done';
    const { stdout, stderr } = await collectEvents(await start(script, { stderrToStdout: true }));
    assert.deepEqual([stdout, stderr], [lines.join(''), '']);
  });

  it('take the whole output of a program that may not wait for its writes', async () => {
    // Small writes fill a pair of sockets after some hundred of them: each counts as half a kilobyte and more there.
    const write = 'for (let i = 0; i < 2000; i++) process.stdout.write("a line of it\\n"); process.exit()';
    const child = await startWith([process.execPath, '-e', write]);
    assert.equal((await collectEvents(child)).stdout.length, 2_000 * 13);
  });

  it('let a program open its input by name that was closed before', async () => {
    const child = await start(
      `until [ -e ${file} ]; do sleep 0.01; done; cat < /dev/stdin; cat < /dev/stdin; echo end`,
      {
        pipeStdin: true,
      },
    );
    await child.write(utf8('some input, '));
    await child.closeStdin();
    writeFileSync(file, '');
    assert.equal((await collectEvents(child)).stdout, 'some input, end\n');
  });

  it('do not hold a program that opens its output by name after the reader has gone', async () => {
    const outlives = `trap '' PIPE; echo ready; until [ -e ${file} ]; do sleep 0.01; done; echo x > /dev/stderr; echo $? > ${file}`;
    const child = await startWith(['setsid', '--fork', ...sh(outlives)]);
    // Its first words come from its own session, where the stop does not reach it.
    await untilOutput(child, 'ready');
    await untilEvent(child, 'exited');
    await child.terminate();
    writeFileSync(file, '');
    await until(
      () => readFileSync(file, 'utf8'),
      (seen) => /\d/.test(seen),
    );
    assert.notEqual(Number(readFileSync(file, 'utf8')), 0);
  });

  it('tell a writer that the program has closed its input, and harm nobody', async () => {
    const child = await start('exec <&-; echo closed; sleep 100', { pipeStdin: true });
    await untilOutput(child, 'closed');
    await until(async () => {
      try {
        await child.write(utf8('x'));
        return false;
      } catch (error) {
        assert.ok(isExecError(error) && error.failure.kind === 'writeFailed');
        return true;
      }
    });
    assert.equal(child.info().state, 'running');
  });

  it('are given back: starts, also bad ones, leave no descriptor open', async () => {
    const openPipes = () =>
      [...openFiles(process.pid).values()].filter((name) => name.startsWith('pipe:')).length;
    const before = openPipes();
    for (let run = 0; run < 30; run++) {
      const child = await startWith(['true'], { processId: `run ${run}`, pipeStdin: run % 2 === 0 });
      await collectEvents(child);
      child.release();
      await assert.rejects(startWith(['/no/such/program'], { processId: `bad ${run}`, pipeStdin: true }));
      const cancelled = startWith(['true'], { processId: `cancelled ${run}` });
      void backend.terminate(`cancelled ${run}`);
      await assert.rejects(cancelled);
    }
    await backend.shutdown();
    await until(() => openPipes() <= before);
  });

  it('are as Node makes them where there are no others, and both outputs have their own', async () => {
    for (const pipes of [() => undefined, () => () => Promise.reject(new Error('EMFILE'))]) {
      use({ pipes });
      const child = await start('cat; echo err >&2; readlink /proc/self/fd/1', {
        pipeStdin: true,
        stderrToStdout: true,
      });
      assert.equal(backend.capabilities.anonymousPipes, false);
      await child.write(utf8('in\n'));
      await child.closeStdin();
      const { stdout, stderr, exit } = await collectEvents(child);
      assert.match(stdout, /^in\nsocket:\[\d+\]\n$/);
      assert.deepEqual([stderr, exit], ['err\n', { exitCode: 0 }]);
      await backend.shutdown();
    }
  });

  it('stay those of a program that was started with nohup and outlives the first one', async () => {
    const late = `until [ -e ${file} ]; do sleep 0.01; done; echo late; echo err > /dev/stderr`;
    const child = await start(`nohup sh -c '${late}' & echo first`, { stderrToStdout: true });
    const collected = collectEvents(child);
    await untilEvent(child, 'exited');
    writeFileSync(file, '');
    assert.equal((await collected).stdout, 'first\nlate\nerr\n');
  });

  describe('are made by a bash', () => {
    const O_EXECUTABLE = 0o755;
    const script = (text: string) => {
      const bash = path.join(folder, 'bash');
      writeFileSync(bash, `#!/bin/sh\n${text}\n`, { mode: O_EXECUTABLE });
      return bash;
    };
    const useBash = (text: string, options: LocalBackendOptions = {}) => {
      const bash = script(text);
      return use({ ...options, pipes: (openTerminals) => pipeMaker(openTerminals, bash) });
    };
    const look = async (processId: string) => {
      const child = await start('echo x > /dev/stderr; readlink /proc/self/fd/1', {
        stderrToStdout: true,
        processId,
      });
      return (await collectEvents(child)).stdout;
    };

    it('that is older than 5.1, too', async () => {
      // Then here-strings are files, as they were before.
      useBash(`exec env BASH_COMPAT=5.0 bash "$@"`);
      assert.match(await look('one'), /^x\npipe:\[\d+\]\n$/);
      const closes = await start('exec <&-; echo closed; sleep 100', { processId: 'two', pipeStdin: true });
      await untilOutput(closes, 'closed');
      await until(() =>
        closes.write(utf8('x')).then(
          () => false,
          () => true,
        ),
      );
    });

    it('of the system, and not by one that a project has put on the PATH', async () => {
      script(`echo > ${file}`);
      const before = process.env['PATH'];
      process.env['PATH'] = `${folder}:${before ?? ''}`;
      try {
        use();
      } finally {
        process.env['PATH'] = before;
      }
      assert.match(await look('one'), /^x\npipe:/);
      assert.throws(() => readFileSync(file), { code: 'ENOENT' });
    });

    it('or by Node, where /proc is missing or belongs to another container', async () => {
      symlinkSync(String(process.ppid), path.join(folder, 'self'));
      for (const proc of [folder, path.join(folder, 'missing')]) {
        use({ pipes: (openTerminals) => pipeMaker(openTerminals, undefined, proc) });
        assert.match(await look('one'), /^socket:/);
        assert.equal(backend.capabilities.anonymousPipes, false);
        await backend.shutdown();
      }
    });

    for (const [what, text] of Object.entries({
      'that says something else': 'echo Welcome; echo 1',
      'that names other files': 'echo ../../self/fd/0; read -r line',
      'that does not stop talking': 'exec yes 1',
      'that says nothing': 'exit 1',
      'that is none': 'exec /no/such/program',
    })) {
      it(`or by Node, instead of a bash ${what}`, async () => {
        useBash(text);
        assert.match(await look('one'), /^socket:/);
        assert.equal(backend.capabilities.anonymousPipes, false);
      });
    }

    it('or by Node, when bash hangs: bash is ended after a short wait', async () => {
      const clock = new FakeClock();
      useBash(`sleep 1000 & echo $$ > ${file}.part; mv ${file}.part ${file}; wait`, { clock });
      const answer = look('one');
      await until(() => existsSync(file));
      clock.advance(2_000);
      assert.match(await answer, /^socket:/);
      assert.match(await look('two'), /^socket:/);
      await backend.shutdown();
      const leader = Number(readFileSync(file, 'utf8'));
      await until(async () => (await sessionMembers(leader)).length, 0);
    });

    it('or by Node, when bash hangs: a shutdown does not wait for it', async () => {
      useBash(`echo > ${file}; exec sleep 1000`, { clock: new FakeClock() });
      const answer = assert.rejects(
        look('one'),
        (error) => isExecError(error) && error.failure.kind === 'startCancelled',
      );
      await until(() => existsSync(file));
      await backend.shutdown();
      await answer;
    });
  });

  it('run out with a clear error, and are there again afterwards', async () => {
    const server = await startServer(({ env }) => {
      const limited = ['/bin/sh', '-c', 'ulimit -n 150; exec "$@"', 'sh'] as const;
      return command([...limited, process.execPath, ownServer, '--listen', 'ws://127.0.0.1:0'], env, {
        cwd: '/',
      });
    });
    const connector = webSocketConnector({ url: server.url });
    const remote = await RemoteBackend.connect({ connector, clientName: 'pipes' });
    const crowd = (round: number, size: number) =>
      Promise.allSettled(
        Array.from({ length: size }, (_, index) =>
          remote.start(params({ argv: ['cat'], cwd: '/', pipeStdin: true, processId: `${round} ${index}` })),
        ),
      );
    const repeat = async (started: Awaited<ReturnType<typeof crowd>>) => {
      const all = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const repeated = all.map(async (one) => {
        const collected = collectEvents(one);
        await one.write(utf8('again'));
        await one.closeStdin();
        return (await collected).stdout;
      });
      assert.deepEqual(new Set(await Promise.all(repeated)), new Set(['again']));
      return all.length;
    };
    const tooMany = await crowd(1, 60);
    const refused = tooMany.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    assert.ok(refused.length > 0);
    assert.deepEqual(
      refused.filter((reason) => !reason.includes('Too many open files')),
      [],
    );
    assert.equal(await repeat(tooMany), 60 - refused.length);
    assert.equal(await repeat(await crowd(2, 5)), 5);
    await remote.shutdown();
    await server.stop();
  });
});
