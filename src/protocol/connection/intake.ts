import {
  MAX_UNANSWERED_CHARACTERS,
  MAX_UNANSWERED_REQUESTS,
  MAX_UNSENT_CHARACTERS,
  MAX_WAITING_MESSAGES,
} from '../limits.js';

/**
 * Counts what a client has sent and nobody has dealt with yet, and what it was answered and has not taken. While that is
 * too much, no more is read, so that the client waits instead of our memory filling.
 */
export class Intake {
  readonly #setPaused: (paused: boolean) => void;
  #waiting = 0;
  /** The size of every request without an answer. */
  readonly #unanswered = new Map<number, number>();
  #unansweredCharacters = 0;
  #unsentCharacters = 0;
  #paused = false;

  constructor(setPaused: (paused: boolean) => void) {
    this.#setPaused = setPaused;
  }

  /** A message stands in the queue. */
  arrived(): void {
    this.#waiting += 1;
    this.#weigh();
  }

  /** It had its turn. */
  begun(): void {
    this.#waiting -= 1;
    this.#weigh();
  }

  /** The client waits for an answer. */
  asked(request: number, characters: number): void {
    this.#unanswered.set(request, characters);
    this.#unansweredCharacters += characters;
    this.#weigh();
  }

  /** It has left us: while the client does not take its answers, they are in our memory. */
  answered(request: number): void {
    this.#unansweredCharacters -= this.#unanswered.get(request) ?? 0;
    this.#unanswered.delete(request);
    this.#weigh();
  }

  /** An answer is queued for the client. */
  sending(characters: number): void {
    this.#unsentCharacters += characters;
    this.#weigh();
  }

  /** The system has taken it. */
  sent(characters: number): void {
    this.#unsentCharacters -= characters;
    this.#weigh();
  }

  #weigh(): void {
    const paused =
      this.#waiting > MAX_WAITING_MESSAGES ||
      this.#unanswered.size > MAX_UNANSWERED_REQUESTS ||
      this.#unansweredCharacters > MAX_UNANSWERED_CHARACTERS ||
      this.#unsentCharacters > MAX_UNSENT_CHARACTERS;
    if (paused !== this.#paused) {
      this.#paused = paused;
      this.#setPaused(paused);
    }
  }
}
