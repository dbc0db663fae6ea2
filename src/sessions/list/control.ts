import { type Disposable, Emitter, type Event } from '../../core/index.js';

/** The one who may type into an agent's session. People can always look at the session and stop it. */
export type Controller = 'agent' | 'person';

/** The reason why an agent's session needs a person. `secret`: the program waits for a password or the like. */
export type PersonWanted = 'secret';

/**
 * Knows who controls an agent's session: the agent at first, a person from taking control until giving it back. It also
 * knows whether the session waits for a person.
 */
export class SessionControl implements Disposable {
  readonly #didChangeController = new Emitter<Controller>();
  readonly #didType = new Emitter<string>();
  readonly #changed: () => void;
  readonly #calls = new Map<object, PersonWanted>();
  #controller: Controller = 'agent';

  /** @param changed Called after each change, before {@link onDidChangeController} fires. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get controller(): Controller {
    return this.#controller;
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
    const [first] = this.#calls.values();
    return first;
  }

  /** @returns whether the controller has changed. */
  giveTo(controller: Controller): boolean {
    if (this.#controller === controller) {
      return false;
    }
    this.#controller = controller;
    this.#changed();
    this.#didChangeController.fire(controller);
    return true;
  }

  /** Shows that the session waits for a person, until the result is disposed. */
  waitFor(wanted: PersonWanted): Disposable {
    const call = {};
    this.#calls.set(call, wanted);
    this.#changed();
    return {
      dispose: () => {
        if (this.#calls.delete(call)) {
          this.#changed();
        }
      },
    };
  }

  dispose(): void {
    this.#didChangeController.dispose();
    this.#didType.dispose();
  }
}
