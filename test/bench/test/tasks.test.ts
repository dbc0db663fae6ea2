import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';

import { countingSource, fileSource } from '../source.js';
import type { Closed, Driver, ProcessSpec, RunningProcess } from '../worker/driver.js';
import { RawDriver } from '../worker/rawDriver.js';
import { echo } from '../worker/tasks/echo.js';
import { startToClosed } from '../worker/tasks/startToClosed.js';
import { throughput } from '../worker/tasks/throughput.js';
import { WireDriver } from '../worker/wireDriver.js';

/** A fault of a process, in its output or in its close. */
type Fault = (
  onOutput: (bytes: Uint8Array) => void,
  process: RunningProcess,
) => { readonly onOutput?: (bytes: Uint8Array) => void; readonly closed?: RunningProcess['closed'] };

/** A driver with an added fault, to see that the fault is noticed. */
class Faulty implements Driver {
  readonly losesTail: boolean;
  readonly #driver: Driver;
  readonly #fault: Fault;

  constructor(driver: Driver, fault: Fault) {
    this.losesTail = driver.losesTail;
    this.#driver = driver;
    this.#fault = fault;
  }

  start(spec: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess {
    let hear = onOutput;
    const process = this.#driver.start(spec, (bytes) => hear(bytes));
    const changed = this.#fault(onOutput, process);
    hear = changed.onOutput ?? onOutput;
    return { ...process, closed: changed.closed ?? process.closed };
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}

describe('what the benchmark measures', () => {
  let raw: Driver;
  let folder: string;

  before(async () => {
    raw = await RawDriver.open();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-test-'));
  });

  after(() => fs.rmSync(folder, { recursive: true }));

  it('is the time until the close: a close that comes 30 ms later is 30 ms more', async () => {
    const late = new Faulty(raw, (_, process) => ({
      closed: process.closed.then(async (closed) => {
        await delay(30);
        return closed;
      }),
    }));
    for (const time of await startToClosed(late, { tty: false, count: 3 })) {
      assert.ok(time >= 29, String(time));
    }
  });

  it('is the time until the echo: one that comes 30 ms later is 30 ms more', async () => {
    const late = new Faulty(raw, (onOutput) => ({
      onOutput: (bytes) => void setTimeout(() => onOutput(bytes), 30),
    }));
    const times = await echo(late, { count: 3, leastPauseMs: 1, mostPauseMs: 2 });
    assert.equal(times.length, 3);
    for (const time of times) {
      assert.ok(time >= 29, String(time));
    }
  });

  it('takes nothing for an echo but the key itself', async () => {
    const other = new Faulty(raw, (onOutput) => ({
      onOutput: (bytes) => onOutput(bytes.map((byte) => (byte === 98 ? 66 : byte))),
    }));
    await assert.rejects(echo(other, { count: 3, leastPauseMs: 1, mostPauseMs: 2 }), /Not an echo: "B"/);
  });

  for (const tty of [false, true]) {
    it(`is all of the output, ${tty ? 'on a terminal' : 'on pipes'}: a byte less or another one is an error`, async () => {
      const file = path.join(folder, `text-${String(tty)}`);
      const text = tty ? fileSource(file, 2_000_000, tty) : countingSource(file, 2_000_000);
      const { rate, outOfOrder } = await throughput(raw, { tty, ...text });
      assert.ok(rate > 0);
      assert.equal(outOfOrder, 0);

      let heard = 0;
      let allHeard: (closed: Closed) => void = () => undefined;
      const all = new Promise<Closed>((resolve) => (allHeard = resolve));
      const shorter = new Faulty(raw, (onOutput) => ({
        onOutput: (bytes) => {
          onOutput(heard === 0 ? bytes.subarray(1) : bytes);
          heard += bytes.byteLength;
          if (heard === text.expectedBytes) {
            allHeard({ outOfOrder: 0 });
          }
        },
        // The program of a terminal is ended only when all output has arrived.
        ...(tty && { closed: all }),
      }));
      const { sha256, ...unhashed } = text;
      await assert.rejects(throughput(shorter, { tty, ...unhashed }), /-1 bytes too many/);

      const changed = new Faulty(raw, (onOutput) => ({
        onOutput: (bytes) => onOutput(bytes.map((byte) => (byte === 57 ? 65 : byte))),
      }));
      await assert.rejects(throughput(changed, { tty, ...unhashed, sha256 }), /not what was printed/);
    });
  }
});

describe('the raw client of the benchmark', () => {
  let server: WebSocketServer;
  let driver: WireDriver;
  /** The messages of the server after the start of a process. */
  let script: (socket: WebSocket) => void;

  const tell = (socket: WebSocket, method: string, seq: number): void =>
    socket.send(
      JSON.stringify({ method, params: { processId: lastProcess, seq, stream: 'stdout', chunk: 'YQ==' } }),
    );
  let lastProcess = '';

  before(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const { id, method, params } = JSON.parse(data.toString()) as {
          id?: number;
          method: string;
          params: { processId?: string };
        };
        if (id !== undefined) socket.send(JSON.stringify({ id, result: {} }));
        if (method === 'process/start') {
          lastProcess = params.processId ?? '';
          script(socket);
        }
      });
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    driver = await WireDriver.open({
      kind: 'wire',
      address: { kind: 'websocket', url: `ws://127.0.0.1:${port}` },
      losesTail: false,
      sandboxed: false,
    });
  });

  after(async () => {
    await driver.close();
    server.close();
  });

  const run = async (said: typeof script): Promise<{ output: string; outOfOrder: number }> => {
    script = said;
    let output = '';
    const process = driver.start({ argv: ['/bin/true'], tty: false }, (bytes) => {
      output += Buffer.from(bytes).toString();
    });
    const { outOfOrder } = await process.closed;
    return { output, outOfOrder };
  };

  it('takes numbers in any order, and counts those that come early', async () => {
    const seen = await run((socket) => {
      tell(socket, 'process/exited', 2);
      tell(socket, 'process/closed', 4);
      tell(socket, 'process/output', 1);
      tell(socket, 'process/output', 3);
    });
    assert.deepEqual(seen, { output: 'aa', outOfOrder: 2 });
  });

  it('does not take a process for closed while a number is missing', async () => {
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    // Once this process has closed, all earlier messages have been read.
    const other = async (): Promise<string> => {
      await run((socket) => {
        tell(socket, 'process/exited', 1);
        tell(socket, 'process/closed', 2);
      });
      return 'another one has closed';
    };
    let late: () => void = () => undefined;
    const closed = run((socket) => {
      tell(socket, 'process/exited', 2);
      tell(socket, 'process/closed', 3);
      const told = lastProcess;
      late = () => {
        lastProcess = told;
        tell(socket, 'process/output', 1);
      };
      began();
    });
    await begun;
    assert.equal(await Promise.race([closed.then(() => 'closed'), other()]), 'another one has closed');
    late();
    assert.deepEqual(await closed, { output: 'a', outOfOrder: 2 });
  });

  it('takes no number twice', async () => {
    await assert.rejects(
      run((socket) => {
        tell(socket, 'process/output', 1);
        tell(socket, 'process/output', 1);
      }),
      /Number 1 came twice/,
    );
  });
});
