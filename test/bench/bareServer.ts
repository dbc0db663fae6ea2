import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';

import * as pty from 'node-pty';
import { WebSocketServer, type WebSocket } from 'ws';

/**
 * The least that an exec-server in Node can do, as the benchmark's client needs it: no checks, no log, no limits, no flow
 * control, no library for JSON-RPC. Nobody could use it. It tells what of our time is Node's and `ws`'s, and what is ours.
 */

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: {
    readonly processId: string;
    readonly argv: readonly [string, ...string[]];
    readonly tty: boolean;
    readonly env: Record<string, string>;
    readonly chunk: string;
  };
}

interface Running {
  readonly pid: number;
  readonly write: (bytes: Buffer) => void;
}

/** What a process does, with the numbers that the wire wants. */
class Reporter {
  readonly #send: (text: string) => void;
  readonly #processId: string;
  readonly #over: () => void;
  #seq = 0;

  constructor(send: (text: string) => void, processId: string, over: () => void) {
    this.#send = send;
    this.#processId = processId;
    this.#over = over;
  }

  output(stream: string, bytes: Buffer): void {
    this.#tell('output', `,"stream":"${stream}","chunk":"${bytes.toString('base64')}"`);
  }

  exited(exitCode: number): void {
    this.#tell('exited', `,"exitCode":${exitCode}`);
  }

  closed(): void {
    this.#over();
    this.#tell('closed', '');
  }

  #tell(what: string, members: string): void {
    this.#seq += 1;
    this.#send(
      `{"method":"process/${what}","params":{"processId":"${this.#processId}","seq":${this.#seq}${members}}}`,
    );
  }
}

const KILLED = 137;

function startOnTerminal({ argv, env }: Request['params'], reporter: Reporter): Running {
  const [program, ...args] = argv;
  const terminal = pty.spawn(program, args, { env, encoding: null });
  // Without an encoding it gives bytes; its types do not know.
  terminal.onData((data) => reporter.output('pty', data as unknown as Buffer));
  terminal.onExit(({ exitCode }) => {
    reporter.exited(exitCode);
    reporter.closed();
  });
  return { pid: terminal.pid, write: (bytes) => terminal.write(bytes) };
}

function startOnPipes({ argv, env }: Request['params'], reporter: Reporter): Running {
  const [program, ...args] = argv;
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (bytes: Buffer) => reporter.output('stdout', bytes));
  child.stderr.on('data', (bytes: Buffer) => reporter.output('stderr', bytes));
  child.on('exit', (code) => reporter.exited(code ?? KILLED));
  child.on('close', () => reporter.closed());
  if (child.pid === undefined) {
    throw new Error(`${program} cannot be started.`);
  }
  return { pid: child.pid, write: () => undefined };
}

function serve(socket: WebSocket): void {
  const running = new Map<string, Running>();
  const answer = (id: number | undefined, result: string): void => {
    if (id !== undefined) {
      socket.send(`{"id":${id},"result":${result}}`);
    }
  };
  socket.on('message', (data: Buffer) => {
    const { id, method, params } = JSON.parse(data.toString()) as Request;
    const { processId } = params;
    if (method === 'process/start') {
      const over = () => void running.delete(processId);
      const reporter = new Reporter((text) => socket.send(text), processId, over);
      running.set(processId, (params.tty ? startOnTerminal : startOnPipes)(params, reporter));
    } else if (method === 'process/write') {
      running.get(processId)?.write(Buffer.from(params.chunk, 'base64'));
    } else if (method === 'process/terminate') {
      kill(running.get(processId));
    }
    answer(id, '{}');
  });
  socket.on('close', () => running.forEach(kill));
}

function kill(running: Running | undefined): void {
  if (running === undefined) {
    return;
  }
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', serve);
server.on('listening', () => {
  process.stdout.write(`ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
