import net from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

import * as vscode from 'vscode';

import type { ExecSession, ExecSessionsApi } from '../../../src/api/exec-sessions.js';
import { SOCKET_VARIABLE, type FromHost, type HostWatch, type ToHost } from './messages.js';

/** VS Code loads this into the extension host, where it obeys the benchmark until that closes the connection. */
export async function run(): Promise<void> {
  const socket = net.connect(process.env[SOCKET_VARIABLE] ?? '');
  const host = new Host();
  for await (const line of createInterface(socket)) {
    const answer = await host.handle(JSON.parse(line) as ToHost).catch((error: unknown): FromHost => ({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
    }));
    socket.write(`${JSON.stringify(answer)}\n`);
  }
}

const MEMORY_EVERY_MS = 50;
const DELAY_RESOLUTION_MS = 1;

class Host {
  readonly #terminals: vscode.Terminal[] = [];
  readonly #sessions: ExecSession[] = [];
  #watch: Watch | undefined;

  async handle(message: ToHost): Promise<FromHost> {
    switch (message.kind) {
      case 'open':
        await this.#open(message);
        return { kind: 'done' };
      case 'close':
        await this.#close();
        return { kind: 'done' };
      case 'watch':
        this.#watch = new Watch();
        return { kind: 'done' };
      case 'unwatch':
        return { kind: 'done', ...(this.#watch && { watch: this.#watch.stop() }) };
    }
  }

  async #open({ terminal, argv }: Extract<ToHost, { kind: 'open' }>): Promise<void> {
    const [shellPath, ...shellArgs] = argv;
    if (terminal.own) {
      const own = vscode.window.createTerminal({ name: 'own', shellPath, shellArgs });
      own.show(true);
      this.#terminals.push(own);
      return;
    }
    const api = await (await extension()).activate();
    const { environment } = terminal;
    this.#sessions.push(await api.start({ argv, environment, tty: true, title: 'ours' }));
  }

  async #close(): Promise<void> {
    for (const session of this.#sessions.splice(0)) {
      await session.kill();
    }
    this.#terminals.length = 0;
    for (const terminal of vscode.window.terminals) {
      terminal.dispose();
    }
  }
}

function extension(): Promise<vscode.Extension<ExecSessionsApi>> {
  const found = vscode.extensions.getExtension<ExecSessionsApi>('exec-sessions.exec-sessions');
  return found === undefined
    ? Promise.reject(new Error('The extension is not installed.'))
    : Promise.resolve(found);
}

/** Watches the event loop and the memory of this process. */
class Watch {
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  readonly #before = process.memoryUsage.rss();
  #most = this.#before;
  readonly #timer = setInterval(() => {
    this.#most = Math.max(this.#most, process.memoryUsage.rss());
  }, MEMORY_EVERY_MS);

  constructor() {
    this.#delay.enable();
  }

  stop(): HostWatch {
    clearInterval(this.#timer);
    this.#delay.disable();
    return { stallMs: this.#delay.max / 1e6 - DELAY_RESOLUTION_MS, grownBytes: this.#most - this.#before };
  }
}
