import assert from 'node:assert/strict';

import { createAgentTools } from '../../../src/agent/index.js';
import type { AgentHost, AgentStart, Controller, HostedProcess } from '../../../src/agent/host.js';
import type { SessionLimits } from '../../../src/agent/session/agentSessions.js';
import type { Agent, ToolCaller, ToolName, ToolReply } from '../../../src/agent/tool.js';
import {
  Emitter,
  type BackendCapabilities,
  type StopOptions,
  type StopReport,
  type Survivor,
  type SessionNumbers,
} from '../../../src/core/index.js';
import { plannedSandbox } from '../../../src/core/launch/plannedSandbox.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../../support/scriptedBackend.js';

/** A process of {@link ScriptedHost}, and the actions of people on it. */
export class ScriptedHosted implements HostedProcess {
  readonly process: ScriptedProcess;
  readonly backend: ScriptedBackend;
  readonly environment = { id: 'here', label: 'This Machine' };
  readonly commandLine: string;
  readonly cwd = '/work';
  readonly title: string | undefined;
  readonly stops: StopOptions[] = [];
  /** The effect of a stop. */
  stopping: (options: StopOptions) => Promise<StopReport> = () =>
    Promise.resolve({ running: false, steps: [], exited: true, survivors: [] });
  controller: Controller = 'agent';
  readonly #controllerChange = new Emitter<Controller>();
  readonly #removal = new Emitter<void>();
  readonly onDidChangeController = this.#controllerChange.event;
  readonly onDidRemove = this.#removal.event;
  readonly #personStop = new Emitter<void>();
  readonly onPersonStops = this.#personStop.event;
  readonly #personTypes = new Emitter<string>();
  readonly onPersonTypes = this.#personTypes.event;

  constructor(process: ScriptedProcess, backend: ScriptedBackend, start: AgentStart) {
    this.process = process;
    this.backend = backend;
    this.title = start.title;
    this.commandLine =
      start.command.kind === 'argv' ? start.command.argv.join(' ') : start.command.commandLine;
  }

  /** Whether anybody still listens to it. */
  get watched(): boolean {
    return this.#controllerChange.observed || this.#removal.observed;
  }

  isControlledBy(controller: Controller): void {
    this.controller = controller;
    this.#controllerChange.fire(controller);
  }

  isStoppedByPerson(): void {
    this.#personStop.fire();
  }

  isTypedByPerson(text: string): void {
    this.#personTypes.fire(text);
  }

  isRemoved(): void {
    this.process.release();
    this.#removal.fire();
  }

  stop(options: StopOptions = {}): Promise<StopReport> {
    this.stops.push(options);
    return this.stopping(options);
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.process.survivors();
  }

  endSurvivor(survivor: Survivor): Promise<StopReport> {
    return this.process.endSurvivor(survivor);
  }

  closeInput(): Promise<void> {
    return this.process.closeStdin();
  }

  release(): void {
    this.process.release();
  }
}

/** A host whose processes do what a test says. */
export class ScriptedHost implements AgentHost {
  readonly environments = [{ id: 'here', label: 'This Machine' }];
  readonly backend: ScriptedBackend;
  readonly hosted: ScriptedHosted[] = [];
  /** Whether a server owns its processes. */
  owned = false;
  /** Starts wait for this promise. */
  starting: Promise<void> = Promise.resolve();
  /** The number of calls for a person at the moment. */
  calls = 0;
  /** The number of calls for a person in all. */
  called = 0;
  readonly callPerson?: NonNullable<AgentHost['callPerson']>;
  #started = 0;

  constructor(clock: FakeClock, options: { people?: boolean; capabilities?: BackendCapabilities }) {
    this.backend = new ScriptedBackend(clock, options.capabilities && { capabilities: options.capabilities });
    if (options.people !== false) {
      this.callPerson = () => {
        this.calls += 1;
        this.called += 1;
        let over = false;
        return {
          dispose: () => {
            this.calls -= over ? 0 : 1;
            over = true;
          },
        };
      };
    }
  }

  async start(start: AgentStart): Promise<HostedProcess> {
    await this.starting;
    this.#started += 1;
    const process = await this.backend.start({
      processId: `p${this.#started}`,
      argv: start.command.kind === 'argv' ? start.command.argv : ['sh', '-c', start.command.commandLine],
      cwd: '/work',
      env: {},
      tty: start.tty,
      pipeStdin: start.pipeStdin,
      owned: this.owned,
      ...(start.sandbox && {
        sandbox: plannedSandbox(start.sandbox, { cwd: '/work', host: {}, temporary: undefined }),
      }),
    });
    const hosted = new ScriptedHosted(process, this.backend, start);
    this.hosted.push(hosted);
    return hosted;
  }
}

/** Lets everything happen that does not wait for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The tools over a {@link ScriptedHost}, with a clock that stands still. */
export function scriptedTools(
  options: {
    people?: boolean;
    capabilities?: BackendCapabilities;
    limits?: Partial<SessionLimits>;
    numbers?: SessionNumbers;
  } = {},
) {
  const clock = new FakeClock(1_000_000);
  const host = new ScriptedHost(clock, options);
  const tools = createAgentTools({ host, clock, limits: options.limits, numbers: options.numbers });
  const call = (
    name: ToolName,
    input: unknown,
    { agent = 'a', ...caller }: Partial<Omit<ToolCaller, 'agent'>> & { agent?: string | Agent } = {},
  ) =>
    tools.call(name, input, {
      agent: typeof agent === 'string' ? { id: agent, name: agent } : agent,
      ...caller,
    });
  return {
    clock,
    host,
    tools,
    call,
    /** The process of session `id`. */
    process: (id: number) => host.hosted[id - 1]?.process ?? assert.fail(`There is no session ${id}.`),
    hosted: (id: number) => host.hosted[id - 1] ?? assert.fail(`There is no session ${id}.`),
    /** Starts a session that keeps running. */
    starts: async (input: object = { cmd: 'run' }, agent: string | Agent = 'a'): Promise<ToolReply> => {
      const reply = call('exec_command', { yield_time_ms: 0, ...input }, { agent });
      await settle();
      clock.advance(0);
      return reply;
    },
  };
}
