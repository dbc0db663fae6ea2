import type { Dialogs } from '../../src/vscode/dialogs.js';

/** Answers a question with the button that the test wants, and keeps the text of the question. */
export class ScriptedDialogs implements Dialogs {
  readonly said: string[] = [];
  answer: string | undefined;

  info = (message: string) => this.#say(message);
  warn = (message: string) => this.#say(message);
  error = (message: string) => this.#say(message);
  confirm = () => Promise.resolve(false);
  choose = () => Promise.resolve(undefined);
  input = () => Promise.resolve(undefined);
  pick = () => Promise.resolve(undefined);
  live = () => Promise.resolve(undefined);
  saveFile = () => Promise.resolve(undefined);

  #say(message: string): Promise<string | undefined> {
    this.said.push(message);
    return Promise.resolve(this.answer);
  }
}
