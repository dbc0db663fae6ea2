import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';

import { UnifiedExecManager, type UnifiedExecRequest } from '../../src/agent/unifiedExec/index.js';
import { systemClock, type ExecBackend, type ExecProcess } from '../../src/core/index.js';
import { backendKinds, useBackend } from '../contract/backends.js';
import { untilEvent } from '../support/collect.js';
import { makeServerHome, type ServerHome } from '../support/execServer.js';
import { FakeClock } from '../support/fakeClock.js';
import { PATH } from '../support/startParams.js';
import { until } from '../support/until.js';
import { tagOf } from './toolsSetup.js';

/**
 * The assertions of the reference's tests, over every kind of backend. The processes are real, and only the clock of
 * the requests stands still. Where the reference waits for a time in which an event will have happened, this waits for
 * the event itself. Then it lets the time of the request pass.
 */

const MARK = 'EXEC_SESSIONS_MARK';

/** The output of a process since its start. */
interface Recorder {
  readonly process: ExecProcess;
  text(): string;
}

/** Follows every process that is started on a backend, from its beginning. */
function record(backend: ExecBackend): readonly Recorder[] {
  const recorders: Recorder[] = [];
  const start = backend.start.bind(backend);
  backend.start = async (params) => {
    const process = await start(params);
    let bytes = Buffer.alloc(0);
    process.subscribe({}, (event) => {
      if (event.type === 'output') {
        bytes = Buffer.concat([bytes, event.bytes]);
      }
    });
    recorders.push({ process, text: () => bytes.toString() });
    return process;
  };
  return recorders;
}

type Variables = readonly (readonly [name: string, value: string | undefined])[];

/** Sets environment variables of this process, and returns their previous values. */
function setEnvironment(variables: Variables): Variables {
  const before = variables.map(([name]) => [name, process.env[name]] as const);
  for (const [name, value] of variables) {
    if (value === undefined) {
      Reflect.deleteProperty(process.env, name);
    } else {
      process.env[name] = value;
    }
  }
  return before;
}

for (const kind of backendKinds) {
  describe(`Unified exec on the ${kind.name} backend${tagOf(kind)}`, () => {
    const fixture = useBackend(kind);
    let clock: FakeClock;
    let manager: UnifiedExecManager;
    let recorders: readonly Recorder[];
    let home: ServerHome;
    let before: Variables;

    beforeEach(() => {
      home = makeServerHome();
      // The host of the local backend is this process. No shell of a test may read or write the files of its user.
      before = setEnvironment([
        ['HOME', home.home],
        ['HISTFILE', '/dev/null'],
      ]);
      clock = new FakeClock();
      manager = new UnifiedExecManager({ backend: fixture.backend, cwd: home.folder, clock });
      recorders = record(fixture.backend);
    });

    afterEach(async () => {
      await manager.dispose();
      setEnvironment(before);
      await home.remove();
    });

    const recorder = (index = recorders.length - 1) =>
      recorders[index] ?? assert.fail('Nothing was started.');

    /** A request that is over once its process has printed something new. */
    const requestUntil = async (expected: RegExp, request: UnifiedExecRequest) => {
      const index = request.sessionId ?? recorders.length;
      const printed = recorders[index]?.text().length ?? 0;
      const { timeoutMs = 1_000 } = request;
      let answered = false;
      const result = manager.handle(request).finally(() => (answered = true));
      // A start that fails ends the wait as well.
      void result.catch(() => undefined);
      await until(() => answered || expected.test(recorders[index]?.text().slice(printed) ?? ''));
      assert.equal(answered, false, 'It lasts for its whole time.');
      clock.advance(timeoutMs);
      return result;
    };

    /** A request that is over as soon as it has written its input. */
    const brief = (request: UnifiedExecRequest) => {
      const result = manager.handle({ ...request, timeoutMs: 10 });
      clock.advance(10);
      return result;
    };

    const openShell = async () => {
      const { sessionId } = await requestUntil(/[$#] $/, { inputChunks: ['bash', '-i'], timeoutMs: 1_500 });
      return sessionId ?? assert.fail('The shell has ended.');
    };

    const hasMark = (output: string) => /^codex\r?$/m.test(output);

    const showMark = (sessionId: number) =>
      requestUntil(/^(?:\x1B\S*\r)?codex\r$/m, {
        sessionId,
        inputChunks: [`printf '\\n'; echo $${MARK}\n`],
        timeoutMs: 1_500,
      });

    it('A2.38 persists across requests', async () => {
      const sessionId = await openShell();
      assert.equal(sessionId, 0);
      await brief({ sessionId, inputChunks: ['export', `${MARK}=codex\n`] });
      const { output, sessionId: still } = await showMark(sessionId);
      assert.ok(hasMark(output), output);
      assert.equal(still, sessionId);
    });

    it('A2.39 keeps sessions apart, and expands nothing', async () => {
      const sessionId = await openShell();
      await brief({ sessionId, inputChunks: [`export ${MARK}=codex\n`] });
      const other = await requestUntil(/(?:\r\n){2}$/, {
        inputChunks: ['echo', `$${MARK}\n`],
        timeoutMs: 1_500,
      });
      assert.equal(other.output.replaceAll('\r', ''), `$${MARK}\n\n`);
      assert.ok(!other.output.includes('codex'));
      const { output } = await showMark(sessionId);
      assert.ok(hasMark(output), output);
    });

    it('A2.40 keeps what is printed between two requests', async () => {
      const sessionId = await openShell();
      await brief({ sessionId, inputChunks: ['export', `${MARK}=codex\n`] });
      const gate = path.join(home.folder, 'gate');
      const script = `until [ -e ${gate} ]; do sleep 0.02; done; printf '\\n'; echo $${MARK}\n`;
      const early = await brief({ sessionId, inputChunks: [script] });
      assert.ok(!hasMark(early.output), early.output);
      fs.writeFileSync(gate, '');
      await until(() => hasMark(recorder().text()));
      const { output } = await brief({ sessionId, inputChunks: [] });
      assert.ok(hasMark(output), output);
      // The output is answered only once.
      assert.ok(!hasMark((await brief({ sessionId, inputChunks: [] })).output));
    });

    it('A2.41 lasts for 60 s, with a warning, if it was to last longer', async () => {
      const started = clock.now();
      const { output } = await requestUntil(/codex/, { inputChunks: ['echo', 'codex'], timeoutMs: 120_000 });
      assert.equal(clock.now() - started, 120_000);
      assert.ok(
        output.startsWith(
          'Warning: requested timeout 120000ms exceeds maximum of 60000ms; clamping to 60000ms.\n',
        ),
      );
      assert.match(output, /codex/);
    });

    it('A2.28 lasts for its whole time after the exit', async () => {
      let answered = false;
      const result = manager.handle({ inputChunks: ['true'], timeoutMs: 120_000 });
      void result.finally(() => (answered = true));
      await until(() => recorders.length > 0);
      await untilEvent(recorder().process, 'closed');
      clock.advance(59_999);
      await new Promise(setImmediate);
      assert.equal(answered, false);
      clock.advance(1);
      assert.equal((await result).sessionId, undefined);
    });

    it('A2.42 makes no session of a command that is over', async () => {
      const result = manager.handle({ inputChunks: ['/bin/echo', 'codex'], timeoutMs: 1_500 });
      await until(() => recorders.length > 0);
      await untilEvent(recorder().process, 'closed');
      clock.advance(1_500);
      const { sessionId, output } = await result;
      assert.equal(sessionId, undefined);
      assert.match(output, /^codex\r?\n$/);
      assert.deepEqual(manager.sessionIds, []);
    });

    it('A2.43 no longer knows a session that has exited', async () => {
      const sessionId = await openShell();
      const gate = path.join(home.folder, 'gate');
      const script = `until [ -e ${gate} ]; do sleep 0.02; done; exit\n`;
      assert.equal((await brief({ sessionId, inputChunks: [script] })).sessionId, sessionId);
      assert.deepEqual(manager.sessionIds, [sessionId]);
      fs.writeFileSync(gate, '');
      await untilEvent(recorder().process, 'exited');
      await assert.rejects(brief({ sessionId, inputChunks: [] }), {
        failure: 'unknownSessionId',
        message: `Unknown session id ${sessionId}`,
        sessionId,
      });
      assert.deepEqual(manager.sessionIds, []);
    });

    it('A2.15, A2.19 runs on a terminal of 80 by 24, in its directory, with the environment of the host', async () => {
      const script = 'stty size; pwd; echo "$PATH"';
      const result = manager.handle({ inputChunks: ['/bin/sh', '-c', script] });
      await until(() => recorders.length > 0);
      await untilEvent(recorder().process, 'closed');
      clock.advance(1_000);
      const [size, cwd, itsPath = ''] = (await result).output.split(/\r?\n/);
      assert.equal(size, '24 80');
      assert.equal(cwd, home.folder);
      assert.ok(itsPath.endsWith(PATH), itsPath);
    });

    it('A2.17 takes the time that was asked for by the real clock', async () => {
      const real = new UnifiedExecManager({ backend: fixture.backend, cwd: home.folder });
      const timers = mock.method(systemClock, 'after');
      const { sessionId } = await real.handle({ inputChunks: ['cat'], timeoutMs: 213 });
      timers.mock.restore();
      assert.ok(timers.mock.calls.some(({ arguments: [delayMs] }) => delayMs === 213));
      assert.equal(sessionId, 0);
      let { output } = await real.handle({ sessionId, inputChunks: ['codex', '\n'], timeoutMs: 10 });
      // The word comes once as an echo, and once from the program.
      while (output.split('codex').length < 3) {
        output += (await real.handle({ sessionId, inputChunks: [], timeoutMs: 10 })).output;
      }
      await real.dispose();
    });

    it('A2.20, A2.22 tells why a start failed, and counts it', async () => {
      await assert.rejects(manager.handle({ inputChunks: ['/no/such/program'] }), {
        failure: 'createSession',
        message: /^Failed to create unified exec session: .*\/no\/such\/program/,
      });
      const result = manager.handle({ inputChunks: ['cat'] });
      await until(() => recorders.length > 0 && clock.pendingTimers > 0);
      clock.advance(1_000);
      assert.equal((await result).sessionId, 1);
    });

    it('A2.36 ends every process when it is disposed of', async () => {
      await openShell();
      const exited = untilEvent(recorder().process, 'exited');
      await manager.dispose();
      await exited;
    });
  });
}
