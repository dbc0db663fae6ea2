import { once } from 'node:events';
import net from 'node:net';

/** Opens connections one after the other that write this and no more. */
export async function silentSockets(count: number, port: number, text = ''): Promise<SilentSockets> {
  const sockets = new SilentSockets();
  for (let index = 0; index < count; index += 1) {
    await sockets.add(port, text);
  }
  return sockets;
}

export class SilentSockets {
  readonly #all: net.Socket[] = [];

  /** How many the other side has left open. */
  get open(): number {
    return this.#all.filter(({ closed }) => !closed).length;
  }

  async add(port: number, text: string): Promise<void> {
    const socket = net.connect(port, '127.0.0.1');
    this.#all.push(socket);
    // The other side may hang up at any moment.
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(text);
  }

  /** Whether the other side has ended the connection that was opened first. */
  get hasLostOldest(): boolean {
    return this.#all[0]?.closed === true;
  }

  destroy(): void {
    this.#all.forEach((socket) => socket.destroy());
  }
}
