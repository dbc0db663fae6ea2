import { type Disposable, Emitter, type Event } from '../../core/index.js';

/** Who may type into an agent's session. People can always look at it and stop it. */
export type Controller = 'agent' | 'person';

/** What an agent's session needs a person for. `secret`: the program waits for a password or the like. */
export type PersonWanted = 'secret';

/**
 * Who controls an agent's session: the agent at first, a person from when they take control until they give it back. It
 * also knows whether the session waits for a person.
 */
export class SessionControl implements Disposable {
  readonly #didChangeController = new Emitter<Controller>();
  readonly #changed: () => void;
  readonly #calls = new Map<object, PersonWanted>();
  #controller: Controller = 'agent';

  /** @param changed Told of everything that changes, before {@link onDidChangeController} fires. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get controller(): Controller {
    return this.#controller;
  }

  get onDidChangeController(): Event<Controller> {
    return this.#didChangeController.event;
  }

  get waitsFor(): PersonWanted | undefined {
    const [first] = this.#calls.values();
    return first;
  }

  /** @returns whether that changed anything. */
  giveTo(controller: Controller): boolean {
    if (this.#controller === controller) {
      return false;
    }
    this.#controller = controller;
    this.#changed();
    this.#didChangeController.fire(controller);
    return true;
  }

  /** Shows that the session waits for a person, until what is returned is disposed. */
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
  }
}
