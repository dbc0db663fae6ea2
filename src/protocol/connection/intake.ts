import { MAX_UNANSWERED_CHARACTERS, MAX_UNSENT_CHARACTERS, MAX_WAITING_MESSAGES } from '../limits.js';

/**
 * Counts the messages of a client that were not handled yet, and the answers that it has not taken. While there are too
 * many, reading pauses: the client waits, and our memory does not fill.
 */
export class Intake {
  readonly #setPaused: (paused: boolean) => void;
  readonly #mostUnanswered: number;
  #waiting = 0;
  /** The size of every request without an answer. */
  readonly #unanswered = new Map<number, number>();
  #unansweredCharacters = 0;
  /** The characters of the answers that the system has not taken. */
  unsentCharacters = 0;
  #paused = false;

  constructor(setPaused: (paused: boolean) => void, mostUnanswered: number) {
    this.#setPaused = setPaused;
    this.#mostUnanswered = mostUnanswered;
  }

  /** Notes that a message has joined the queue. */
  arrived(): void {
    this.#waiting += 1;
    this.#weigh();
  }

  /** Notes that a message has left the queue and is being handled. */
  begun(): void {
    this.#waiting -= 1;
    this.#weigh();
  }

  /** Notes a request whose answer the client waits for. */
  asked(request: number, characters: number): void {
    this.#unanswered.set(request, characters);
    this.#unansweredCharacters += characters;
    this.#weigh();
  }

  /** Notes that the answer to a request has left. Until then it is in our memory, and the client may not be reading. */
  answered(request: number): void {
    this.#unansweredCharacters -= this.#unanswered.get(request) ?? 0;
    this.#unanswered.delete(request);
    this.#weigh();
  }

  /** Notes that an answer is queued for the client. */
  sending(characters: number): void {
    this.unsentCharacters += characters;
    this.#weigh();
  }

  /** Notes that the system has taken an answer. */
  sent(characters: number): void {
    this.unsentCharacters -= characters;
    this.#weigh();
  }

  #weigh(): void {
    const paused =
      this.#waiting > MAX_WAITING_MESSAGES ||
      this.#unanswered.size > this.#mostUnanswered ||
      this.#unansweredCharacters > MAX_UNANSWERED_CHARACTERS ||
      this.unsentCharacters > MAX_UNSENT_CHARACTERS;
    if (paused !== this.#paused) {
      this.#paused = paused;
      this.#setPaused(paused);
    }
  }
}
