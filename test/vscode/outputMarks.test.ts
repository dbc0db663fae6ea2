import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { Session } from '../../src/sessions/list/session.js';
import { MARKED_BYTES } from '../../src/sessions/viewer/outputMarks.js';
import { WINDOW_CHARACTERS } from '../../src/terminal/index.js';
import { until } from '../support/until.js';
import { Fixture } from './fixture.js';

/** A terminal ends each line with two characters. */
const LINE = 'a line that is as long as all others in this flood of much text';
const LINES = 200_000;
const FLOOD_CHARACTERS = LINES * (LINE.length + 2);

/** The events that VS Code sends extensions about the commands in a terminal. */
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

  const show = async (commandLine: string, tty = true) => {
    const session = await fixture.start(commandLine, { tty, pipeStdin: !tty });
    terminal = fixture.services.terminals.open(session);
    return session;
  };

  /** A program that waits for this, with `read`, is held back by its terminal from its first line on. */
  const letGo = async ({ process }: Session) => {
    await until(() => executions.characters > 0);
    await process.write(Buffer.from('\n'));
  };

  it('starts, can be read, and ends with its exit code', async () => {
    const session = await show('echo out; read; exit 3');
    // Output that has not been read when a command ends may be lost.
    await letGo(session);
    await until(() => executions.told.length, 2);
    assert.deepEqual(executions.told, ['starts', `ends 3: ${session.commandLine}`]);
  });

  for (const [what, tty, flood] of [
    ['a flood', true, `yes '${LINE}' | head -n ${LINES}`],
    // Each stream ends the colours of the other one, and both may end in the middle of a line.
    ['floods on two pipes', false, `yes '${LINE}' | head -n ${LINES} | tee /dev/stderr`],
  ] as const) {
    it(`sends back little of ${what}, and has its exit code all the same`, async () => {
      const session = await show(`echo; read; ${flood}; exit 3`, tty);
      // Pipes without a viewer are not held back: a late terminal would find only the end of the flood.
      await letGo(session);
      const name = session.commandLine;
      await until(() => executions.told.length, 4);
      assert.deepEqual(executions.told, ['starts', `ends somehow: ${name}`, 'starts', `ends 3: ${name}`]);
      const most = MARKED_BYTES + 2 * WINDOW_CHARACTERS;
      assert.ok(most < FLOOD_CHARACTERS / 2);
      assert.ok(executions.characters < most, `${executions.characters} characters`);
    });
  }
});
