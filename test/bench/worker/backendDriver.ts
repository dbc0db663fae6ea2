import type { ExecBackend, ExecProcess, StartParams } from '../../../src/core/index.js';
import { GuardProcess, LocalBackend } from '../../../src/local/index.js';
import type { OpenTerminals } from '../../../src/local/child/openTerminals.js';
import { RemoteBackend, socketConnector, webSocketConnector } from '../../../src/remote/index.js';
import {
  childEnv,
  quietly,
  type Address,
  type Closed,
  type Driver,
  type ProcessSpec,
  type RunningProcess,
} from './driver.js';

/** The window of our terminals. */
const WINDOW_BYTES = 256 * 1024;

/** A backend of ours, with a subscriber that has the window of a terminal, keeps nothing, and acknowledges at once. */
export class BackendDriver implements Driver {
  readonly losesTail = false;
  readonly #backend: ExecBackend;
  readonly #ownership: Pick<StartParams, 'owned' | 'metadata'>;
  #processes = 0;

  /** @param ownership Further parameters for the start of each process. */
  constructor(backend: ExecBackend, ownership: Pick<StartParams, 'owned' | 'metadata'> = {}) {
    this.#backend = backend;
    this.#ownership = ownership;
  }

  static local(guardFile: string): BackendDriver {
    const unguarded = () => process.stderr.write('The guard does not run.\n');
    const guard = (open: OpenTerminals) => new GuardProcess([process.execPath, guardFile], open, unguarded);
    return new BackendDriver(new LocalBackend({ guard }));
  }

  /** @param keepsOutput If given, the server owns the processes, and their output is on disk as well, or is not. */
  static async remote(address: Address, keepsOutput?: boolean): Promise<BackendDriver> {
    const connector =
      address.kind === 'unix' ? socketConnector(address.path) : webSocketConnector({ url: address.url });
    return new BackendDriver(
      await RemoteBackend.connect({ connector, clientName: 'bench' }),
      keepsOutput === undefined ? {} : { owned: true, metadata: { keepOutput: keepsOutput } },
    );
  }

  start({ argv, tty }: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess {
    this.#processes += 1;
    const processId = `bench-${this.#processes}`;
    const started = this.#backend.start({
      processId,
      argv,
      tty,
      cwd: '/',
      env: childEnv,
      ...this.#ownership,
    });
    return {
      started: quietly(started.then(() => undefined)),
      closed: quietly(
        started.then(async (process) => {
          const closed = await follow(process, onOutput);
          if (this.#ownership.owned === true) {
            await this.#backend.remove(processId);
          }
          return closed;
        }),
      ),
      write: (bytes) => void this.#backend.write(processId, bytes),
      kill: () => void this.#backend.terminate(processId),
    };
  }

  async close(): Promise<void> {
    await this.#backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  }
}

function follow(process: ExecProcess, onOutput: (bytes: Uint8Array) => void): Promise<Closed> {
  return new Promise((resolve, reject) => {
    let lastSeq = 0;
    const subscription = process.subscribe({ windowBytes: WINDOW_BYTES, borrows: true }, (event) => {
      if (event.type === 'gap' || event.type === 'failed') {
        subscription.dispose();
        reject(new Error(`Output was lost: ${JSON.stringify(event)}`));
        return;
      }
      if (event.seq !== lastSeq + 1) {
        reject(new Error(`Number ${event.seq} came after ${lastSeq}.`));
      }
      lastSeq = event.seq;
      if (event.type === 'output') {
        onOutput(event.bytes);
        subscription.acknowledge(event.seq);
      } else if (event.type === 'closed') {
        subscription.dispose();
        process.release();
        resolve({ outOfOrder: 0 });
      }
    });
  });
}
