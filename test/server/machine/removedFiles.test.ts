import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { ExecBackend } from '../../../src/core/index.js';
import { textOf } from '../../support/bytes.js';
import { collectEvents, untilOutput } from '../../support/collect.js';
import { killIfThere } from '../../support/killIfThere.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { params, sh } from '../../support/startParams.js';
import { builtFiles, useMachine } from './machineFixture.js';

describeOnLinux('A session server whose files were removed', () => {
  const fixture = useMachine();

  /** Starts one from an extension's folder, on a Node of its own, and removes both, and the copy as well. */
  const startAndRemove = async (): Promise<ExecBackend> => {
    const extension = path.join(fixture.folder, 'extension');
    const node = path.join(fixture.folder, 'node');
    fs.cpSync(builtFiles, extension, { recursive: true });
    fs.copyFileSync(process.execPath, node);
    const machine = await fixture.connect({ files: extension, node });
    assert.ok(machine !== undefined);
    fs.rmSync(extension, { recursive: true });
    fs.rmSync(node);
    fs.rmSync(path.join(fixture.folder, 'home/.cache'), { recursive: true });
    return machine.backend;
  };

  it('starts the first terminal all the same', async () => {
    const backend = await startAndRemove();
    const terminal = await backend.start(params({ argv: sh('test -t 0 && echo terminal'), tty: true }));
    assert.equal((await collectEvents(terminal)).stdout, 'terminal\r\n');
  });

  it('leaves no process when it is killed, but those that have left their session', async () => {
    const backend = await startAndRemove();
    const told = path.join(fixture.folder, 'told');
    const script = (ready: string) =>
      sh(`trap 'echo told >>${told}; exit' INT; echo ${ready}; while :; do sleep 0.05; done`);
    const jobs = [
      await backend.start(params({ processId: 'pipes', argv: script('ready') })),
      await backend.start(params({ processId: 'terminal', argv: script('ready'), tty: true })),
    ];
    const away = await backend.start(
      params({ processId: 'away', argv: sh('setsid sleep 100 & echo $!; sleep 100') }),
    );
    await Promise.all([...jobs, away].map((job) => untilOutput(job, '\n')));
    const [server = 0] = await fixture.servers();
    const pids = [...jobs, away].map((job) => job.info().pid ?? 0);
    const { chunks } = await away.read({});
    const detached = Number(textOf(chunks));
    process.kill(server, 'SIGKILL');
    for (const pid of pids) {
      await until(async () => !(await isRunning(pid)));
    }
    // The guard itself asks first; the shell that takes its place if there is no Node only kills.
    assert.match(fs.readFileSync(told, 'utf8'), /^told$/m);
    assert.ok(await isRunning(detached));
    killIfThere(detached);
  });
});
