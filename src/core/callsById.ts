import { ExecError } from './errors.js';
import type {
  ExecBackend,
  ExecProcess,
  StopOptions,
  StopReport,
  WriteStatus,
} from './process/execBackend.js';
import type { TerminalSize } from './process/terminalSize.js';
import {
  type KeptOptions,
  type KeptOutput,
  NOTHING_KEPT,
  type ReadOptions,
  type ReadResponse,
} from './process/execEvents.js';
import type { HeldProcess } from './process/processHandle.js';

/** A start that is under way. It occupies its id. */
export interface StartingProcess {
  readonly state: 'starting';
  /** Cancels the start. Further calls do nothing. */
  cancel(): void;
}

export interface StartedProcess<P extends HeldProcess = HeldProcess> {
  readonly state: 'started';
  readonly process: P;
}

/** The calls of a backend that name a process by its id. Finding the process takes one look-up. */
export abstract class CallsById implements Pick<
  ExecBackend,
  'attach' | 'read' | 'readKept' | 'write' | 'closeStdin' | 'resize' | 'signal' | 'terminate' | 'stop'
> {
  async attach(processId: string): Promise<ExecProcess> {
    return Promise.resolve(this.expect(processId).hold());
  }

  async read(processId: string, options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse> {
    return this.expect(processId).log.read(options, signal);
  }

  async readKept(processId: string, options: KeptOptions): Promise<KeptOutput> {
    const known = this.find(processId);
    return known?.state === 'started' ? known.process.readKept(options) : NOTHING_KEPT;
  }

  async write(processId: string, bytes: Uint8Array): Promise<WriteStatus> {
    const known = this.find(processId);
    if (known === undefined) {
      return 'unknownProcess';
    }
    return known.state === 'starting' ? 'starting' : known.process.write(bytes);
  }

  async closeStdin(processId: string): Promise<void> {
    await this.expect(processId).closeStdin();
  }

  async resize(processId: string, size: TerminalSize): Promise<void> {
    await this.expect(processId).resize(size);
  }

  async signal(processId: string, name: string): Promise<void> {
    const known = this.find(processId);
    if (known?.state === 'started') {
      await known.process.signal(name);
    }
  }

  async terminate(processId: string): Promise<{ readonly running: boolean }> {
    const known = this.find(processId);
    if (known?.state === 'starting') {
      known.cancel();
      return { running: true };
    }
    return { running: known === undefined ? false : await known.process.terminate() };
  }

  async stop(processId: string, options?: StopOptions): Promise<StopReport> {
    const known = this.find(processId);
    if (known?.state === 'started') {
      return known.process.stop(options);
    }
    const { running } = await this.terminate(processId);
    return { running, steps: [], exited: false, survivors: [] };
  }

  /** The process or the start that has this id. */
  protected abstract find(processId: string): StartingProcess | StartedProcess | undefined;

  /** @throws ExecError if there is no such process, or if it is still starting. */
  protected expect(processId: string): HeldProcess {
    const known = this.find(processId);
    if (known === undefined) {
      throw new ExecError({ kind: 'unknownProcess', processId });
    }
    if (known.state === 'starting') {
      throw new ExecError({ kind: 'processStarting', processId });
    }
    return known.process;
  }
}
