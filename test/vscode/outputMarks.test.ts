import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { MARKED_BYTES } from '../../src/sessions/viewer/outputMarks.js';
import { WINDOW_CHARACTERS } from '../../src/terminal/index.js';
import { until } from '../support/processes.js';
import { Fixture } from './fixture.js';

/** Lines of 64 bytes; a terminal adds a carriage return to each. */
const LINE = 'a line that is as long as all others in this flood of much text';
const LINES = 200_000;
const FLOOD_CHARACTERS = LINES * (LINE.length + 2);

/** What VS Code tells extensions of the commands in a terminal. */
class Executions implements vscode.Disposable {
  readonly told: string[] = [];
  /** The characters of the output that VS Code has sent to the extension host. */
  characters = 0;
  readonly #listeners: readonly vscode.Disposable[];

  constructor(terminal: () => vscode.Terminal | undefined) {
    this.#listeners = [
      vscode.window.onDidStartTerminalShellExecution((event) => {
        if (event.terminal === terminal()) {
          this.told.push('starts');
          void this.#count(event.execution);
        }
      }),
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.terminal === terminal()) {
          this.told.push(`ends ${event.exitCode ?? 'somehow'}: ${event.execution.commandLine.value}`);
        }
      }),
    ];
  }

  dispose(): void {
    this.#listeners.forEach((listener) => void listener.dispose());
  }

  async #count(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const data of execution.read()) {
      this.characters += data.length;
    }
  }
}

describe('A command, as VS Code tells other extensions of it', () => {
  let fixture: Fixture;
  let terminal: vscode.Terminal | undefined;
  let executions: Executions;

  beforeEach(() => {
    fixture = new Fixture();
    executions = new Executions(() => terminal);
  });

  afterEach(async () => {
    executions.dispose();
    await fixture.dispose();
  });

  const show = async (commandLine: string) => {
    const session = await fixture.start(commandLine, { tty: true });
    terminal = fixture.services.terminals.open(session);
    return session.commandLine;
  };

  it('starts, can be read, and ends with its exit code', async () => {
    const name = await show('echo out; sleep 0.5; exit 3');
    await until(() => executions.told.length === 2);
    assert.deepEqual(executions.told, ['starts', `ends 3: ${name}`]);
    await until(() => executions.characters > 0);
  });

  it('sends back little of a flood, and has its exit code all the same', async () => {
    const name = await show(`yes '${LINE}' | head -n ${LINES}; exit 3`);
    await until(() => executions.told.length === 4);
    assert.deepEqual(executions.told, ['starts', `ends somehow: ${name}`, 'starts', `ends 3: ${name}`]);
    const most = MARKED_BYTES + 2 * WINDOW_CHARACTERS;
    assert.ok(most < FLOOD_CHARACTERS / 2);
    assert.ok(executions.characters < most, `${executions.characters} characters`);
  });
});
