import * as vscode from 'vscode';

import { LOCAL_ID, type Session } from '../../sessions/list/index.js';
import { type CheckedStart, parseStartOptions } from '../../sessions/options/index.js';
import type { Messages } from '../messages.js';
import type { SessionStarter } from '../sessionStarter.js';
import type { SessionTerminals } from '../terminals/sessionTerminals.js';
import { workingDirectory } from '../thisMachine.js';
import { errorText, UserError } from '../userError.js';
import { FailedTask, TaskTerminal } from './taskTerminal.js';
import type { SessionTaskDefinition, TaskPlace } from './taskDefinition.js';

/** Runs tasks of tasks.json as sessions. The session of a task that has ended stays in the list, as any other. */
export class SessionTasks {
  readonly #starter: SessionStarter;
  readonly #terminals: SessionTerminals;
  readonly #messages: Messages;
  readonly #stop: (session: Session) => Promise<void>;
  /** The stops under way, by task. VS Code restarts a task before the terminal that it has closed is gone. */
  readonly #stopping = new Map<string, Promise<void>>();

  constructor(options: {
    starter: SessionStarter;
    terminals: SessionTerminals;
    messages: Messages;
    /** Stops a session with progress, a Cancel button, and a message about the outcome. */
    stop: (session: Session) => Promise<void>;
  }) {
    this.#starter = options.starter;
    this.#terminals = options.terminals;
    this.#messages = options.messages;
    this.#stop = options.stop;
  }

  /** Starts a task, once its last run has been stopped. A task that cannot be started says so in its terminal. */
  async run(definition: SessionTaskDefinition, place: TaskPlace): Promise<vscode.Pseudoterminal> {
    const key = JSON.stringify([definition, place]);
    await this.#stopping.get(key);
    try {
      const session = await this.#starter.start(taskStart(definition, place), { kind: 'user' });
      const shown = this.#terminals.forTask(session);
      return new TaskTerminal(session, shown, {
        opened: () => this.#terminals.adopt(shown, place.name),
        stop: () => this.#stopNoting(key, session),
      });
    } catch (error) {
      this.#messages.failed(error);
      return new FailedTask(errorText(error));
    }
  }

  #stopNoting(key: string, session: Session): void {
    const stop = this.#stop(session)
      // The person has been told.
      .catch(() => undefined)
      .finally(() => {
        if (this.#stopping.get(key) === stop) {
          this.#stopping.delete(key);
        }
      });
    this.#stopping.set(key, stop);
  }
}

/** @throws UserError if the task in tasks.json is not valid. */
function taskStart(
  { commandLine, cwd, env, environment, sandbox }: SessionTaskDefinition,
  { name, folder }: TaskPlace,
): CheckedStart {
  const options = { commandLine, cwd, env, environment, sandbox, title: name, tty: true, show: false };
  const start = parseStartOptions(options, vscode.l10n);
  if (!start.ok) {
    throw new UserError(
      vscode.l10n.t('The task "{0}" in tasks.json is not complete: {1}', name, start.message),
    );
  }
  const { value } = start;
  const isHere = (value.environment ?? LOCAL_ID) === LOCAL_ID;
  return isHere ? { ...value, cwd: workingDirectory(value.cwd, folder) } : value;
}
