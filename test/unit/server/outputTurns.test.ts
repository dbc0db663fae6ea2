import assert from 'node:assert/strict';

import { OutputTurns, type TurnTaker } from '../../../src/server/sessions/outputTurns.js';

const PIECE = 16 * 1024;
const TURN = 64 * 1024;
const WINDOW = 1024 * 1024;

/** A connection that takes one piece after the other, in the order in which they were sent. */
class Line {
  readonly turns = new OutputTurns();
  readonly #queue: { readonly name: string; readonly bytes: number; readonly taken: () => void }[] = [];
  takenBytes = 0;

  send(name: string, taker: TurnTaker, bytes = PIECE, more: () => void = () => undefined): void {
    const taken = this.turns.sends(taker, bytes);
    this.#queue.push({
      name,
      bytes,
      taken: () => {
        taken();
        more();
      },
    });
  }

  /** @returns whose piece was taken. */
  take(): string | undefined {
    const next = this.#queue.shift();
    this.takenBytes += next?.bytes ?? 0;
    next?.taken();
    return next?.name;
  }
}

/** A process with as much output as the line takes, up to the window of a client. */
class Flood {
  held = false;
  sentBytes = 0;
  #underWay = 0;
  readonly #line: Line;
  readonly #name: string;

  constructor(line: Line, name: string) {
    this.#line = line;
    this.#name = name;
    this.#send();
  }

  hold(held: boolean): void {
    this.held = held;
    this.#send();
  }

  #send(): void {
    while (this.#underWay < WINDOW && !this.held) {
      this.#underWay += PIECE;
      this.sentBytes += PIECE;
      this.#line.send(this.#name, this, PIECE, () => {
        this.#underWay -= PIECE;
        this.#send();
      });
    }
  }
}

describe('The turns of processes on one connection', () => {
  it('hold nobody while little waits, however much one of them sends', () => {
    const line = new Line();
    const holds: boolean[] = [];
    const taker = { hold: (held: boolean) => holds.push(held) };
    const other = { hold: (held: boolean) => holds.push(held) };
    for (let count = 0; count < 1_000; count++) {
      line.send('other', other, 1);
      line.send('one', taker);
      line.take();
      line.take();
    }
    assert.deepEqual(holds, []);
  });

  it('let each of fifty floods have its share: none waits more than twice as long for its next turn', () => {
    const line = new Line();
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    names.forEach((name) => new Flood(line, name));
    const last = new Map<string, number>();
    const counts = new Map<string, number>();
    let longest = 0;
    for (let count = 0; count < 50 * 400; count++) {
      const name = line.take() ?? assert.fail('nobody sends');
      const taken = (counts.get(name) ?? 0) + 1;
      counts.set(name, taken);
      if (taken % (TURN / PIECE) === 0) {
        longest = Math.max(longest, line.takenBytes - (last.get(name) ?? 0));
        last.set(name, line.takenBytes);
      }
    }
    assert.ok(longest <= 2 * names.length * TURN, `${longest / names.length / TURN} shares`);
    assert.deepEqual([...counts.keys()].sort(), names.sort());
    const shares = [...counts.values()];
    assert.ok(Math.max(...shares) - Math.min(...shares) <= (256 * 1024) / PIECE, shares.join());
  });

  it('let a process that begins late send at once, before most of what floods could send', () => {
    const line = new Line();
    const floods = ['a', 'b'].map((name) => new Flood(line, name));
    for (let count = 0; count < 100; count++) line.take();
    const late = { hold: () => assert.fail('it sends little') };
    line.send('late', late, 100);
    let before = 0;
    while (line.take() !== 'late') before += PIECE;
    assert.ok(before <= 256 * 1024 + PIECE, `${before} bytes before it`);
    assert.ok(floods.every(({ held }) => held));
  });

  it('go on when a process leaves', () => {
    const line = new Line();
    const gone = new Flood(line, 'gone');
    const stays = new Flood(line, 'stays');
    line.turns.leave(gone);
    for (let count = 0; count < 100; count++) line.take();
    assert.equal(gone.held, true);
    assert.equal(line.take(), 'stays');
    assert.equal(stays.sentBytes > 1024 * 1024, true);
  });
});
