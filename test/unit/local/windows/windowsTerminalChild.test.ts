import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';

import type { ChildSink } from '../../../../src/local/child/child.js';
import type { ConPty, SpawnConPty } from '../../../../src/local/child/nodePty.js';
import { startWindowsTerminalChild } from '../../../../src/local/windows/windowsTerminalChild.js';

/** node-pty's terminal on Windows: it has no process until it is connected. */
class FakeConPty {
  pid = 0;
  killed = 0;
  written = '';
  readonly events = new EventEmitter();
  readonly started: Parameters<SpawnConPty>[] = [];

  readonly spawn: SpawnConPty = (...start) => {
    this.started.push(start);
    const { events } = this;
    const terminal: Partial<ConPty> = {
      on: (event, listener) => void events.on(event, listener),
      onData: (listener) => {
        events.on('data', listener);
        return { dispose: () => undefined };
      },
      onExit: (listener) => {
        events.on('exit', listener);
        return { dispose: () => undefined };
      },
      write: (data) => void (this.written += String(data)),
      resize: () => {
        throw new Error('Cannot resize a pty that has already exited');
      },
      kill: () => void (this.killed += 1),
    };
    return Object.defineProperty(terminal, 'pid', { get: () => this.pid }) as ConPty;
  };

  connect(pid: number): void {
    this.pid = pid;
    this.events.emit('ready_datapipe');
  }
}

function recordingSink(): ChildSink & { readonly told: unknown[] } {
  const told: unknown[] = [];
  return {
    told,
    forking: () => undefined,
    forked: (pid) => void told.push(['forked', pid]),
    output: (stream, bytes) => void told.push([stream, Buffer.from(bytes).toString()]),
    exited: (status) => void told.push(['exited', status]),
    ended: () => void told.push('ended'),
  };
}

describe('A terminal on Windows', () => {
  const request = {
    argv: ['C:\\x y\\a.exe'],
    cwd: 'C:\\',
    env: {},
    size: { columns: 80, rows: 24 },
  } as const;

  it('has the number of its process from the start, before all output', async () => {
    const pty = new FakeConPty();
    const sink = recordingSink();
    let done = false;
    const starting = startWindowsTerminalChild(request, sink, pty.spawn).finally(() => (done = true));
    await new Promise(setImmediate);
    assert.deepEqual([done, sink.told], [false, []]);
    pty.connect(452);
    pty.events.emit('data', 'hi');
    assert.equal((await starting).pid, 452);
    assert.deepEqual(sink.told, [
      ['forked', 452],
      ['pty', 'hi'],
    ]);
  });

  it('reports exit and end together', async () => {
    const pty = new FakeConPty();
    const sink = recordingSink();
    const starting = startWindowsTerminalChild(request, sink, pty.spawn);
    pty.connect(452);
    const child = await starting;
    pty.events.emit('exit', { exitCode: 3 });
    assert.deepEqual(sink.told, [['forked', 452], ['exited', { exitCode: 3 }], 'ended']);
    // node-pty would end whatever has the number now.
    child.abandon();
    assert.equal(pty.killed, 0);
    await assert.rejects(child.write(Buffer.from('x')));
  });

  it('whose console has gone takes a new size without an error', async () => {
    const pty = new FakeConPty();
    const starting = startWindowsTerminalChild(request, recordingSink(), pty.spawn);
    pty.connect(452);
    (await starting).resize?.({ columns: 100, rows: 30 });
  });

  for (const [exitCode, text] of [
    [193, 'Inappropriate file type or format (os error 193)'],
    [740, 'Windows refused (os error 740)'],
    [-1, 'The console does not answer'],
  ] as const) {
    it(`that cannot be started says why: ${exitCode}`, async () => {
      const pty = new FakeConPty();
      const sink = recordingSink();
      const starting = startWindowsTerminalChild(request, sink, pty.spawn);
      pty.events.emit('exit', { exitCode });
      await assert.rejects(starting, { message: text });
      assert.deepEqual(sink.told, []);
    });
  }

  it('gets its arguments as one text, and an empty list without any, which quotes the path', async () => {
    const pty = new FakeConPty();
    for (const argv of [['C:\\x y\\a.exe'], ['C:\\x y\\a.exe', '/c "a "b""']] as const) {
      void startWindowsTerminalChild({ ...request, argv }, recordingSink(), pty.spawn);
    }
    assert.deepEqual(
      pty.started.map(([file, args]) => [file, args]),
      [
        ['C:\\x y\\a.exe', []],
        ['C:\\x y\\a.exe', '/c "a "b""'],
      ],
    );
    await Promise.resolve();
  });
});
