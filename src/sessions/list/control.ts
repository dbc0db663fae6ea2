import { type Disposable, Emitter, type Event } from '../../core/index.js';

/** The one who may type into an agent's session. People can always look at the session and stop it. */
export type Controller = 'agent' | 'person';

/** The reason why an agent's session needs a person. `secret`: the program waits for a password or the like. */
export type PersonWanted = 'secret';

/** Stores who controls a session, and what the session waits for. */
interface ControlRecord {
  controller: Controller;
  waitsFor: PersonWanted | undefined;
}

/**
 * Knows who controls an agent's session: the agent at first, a person from taking control until giving it back. It also
 * knows whether the session waits for a person.
 */
export class SessionControl implements Disposable {
  readonly #didChangeController = new Emitter<Controller>();
  readonly #didType = new Emitter<string>();
  readonly #record: ControlRecord;
  readonly #calls = new Map<object, PersonWanted>();
  #told: Controller;

  /** @param record Calls {@link look} when it has changed. */
  constructor(record: ControlRecord) {
    this.#record = record;
    this.#told = record.controller;
  }

  get controller(): Controller {
    return this.#record.controller;
  }

  get onDidChangeController(): Event<Controller> {
    return this.#didChangeController.event;
  }

  /** Fires with what a person types into its terminal, just before it is sent. */
  get onPersonTypes(): Event<string> {
    return this.#didType.event;
  }

  personTypes(text: string): void {
    this.#didType.fire(text);
  }

  get waitsFor(): PersonWanted | undefined {
    return this.#record.waitsFor;
  }

  /** Whether this window says so, for an agent of its own. */
  get calledHere(): boolean {
    return this.#calls.size > 0;
  }

  /** @returns whether the controller has changed. */
  giveTo(controller: Controller): boolean {
    if (this.controller === controller) {
      return false;
    }
    this.#record.controller = controller;
    this.look();
    return true;
  }

  /** Shows that the session waits for a person, until the result is disposed. */
  waitFor(wanted: PersonWanted): Disposable {
    const call = {};
    this.#calls.set(call, wanted);
    this.#tellWaiting();
    return {
      dispose: () => {
        if (this.#calls.delete(call)) {
          this.#tellWaiting();
        }
      },
    };
  }

  /** Notices a change of the controller, by this window, another window or an agent. */
  look(): void {
    const { controller } = this.#record;
    if (controller !== this.#told) {
      this.#told = controller;
      this.#didChangeController.fire(controller);
    }
  }

  dispose(): void {
    this.#didChangeController.dispose();
    this.#didType.dispose();
  }

  #tellWaiting(): void {
    const [first] = this.#calls.values();
    if (first !== this.#record.waitsFor) {
      this.#record.waitsFor = first;
    }
  }
}
