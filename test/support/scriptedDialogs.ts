import type { Dialogs } from '../../src/vscode/dialogs.js';

/** Answers a question with the button that the test wants, and keeps the text of the question. */
export class ScriptedDialogs implements Dialogs {
  readonly said: string[] = [];
  /** The buttons of each message. */
  readonly offered: (readonly string[])[] = [];
  answer: string | undefined;

  info = (message: string, ...actions: string[]) => this.#say(message, actions);
  warn = (message: string, ...actions: string[]) => this.#say(message, actions);
  error = (message: string, ...actions: string[]) => this.#say(message, actions);
  confirm = () => Promise.resolve(false);
  choose = () => Promise.resolve(undefined);
  input = () => Promise.resolve(undefined);
  pick = () => Promise.resolve(undefined);
  pickMany = () => Promise.resolve(undefined);
  live = () => Promise.resolve(undefined);
  saveFile = () => Promise.resolve(undefined);

  #say(message: string, actions: readonly string[]): Promise<string | undefined> {
    this.said.push(message);
    this.offered.push(actions);
    return Promise.resolve(this.answer);
  }
}
