import type { RE2JS } from 're2js';

/** An instruction of a compiled pattern. */
interface Instruction {
  readonly op: number;
  /** The next instruction. */
  readonly out: number;
  /** The other next instruction of a fork; the conditions of an empty match. */
  readonly arg: number;
  matchRune(rune: number): boolean;
}

interface Program {
  readonly start: number;
  readonly inst: readonly Instruction[];
}

/** The operations of re2js, which are those of Go's `regexp/syntax`. From `RUNE` on they take one character. */
const OP = { ALT: 1, ALT_MATCH: 2, CAPTURE: 3, EMPTY_WIDTH: 4, FAIL: 5, MATCH: 6, NOP: 7, RUNE: 8 } as const;

/** The conditions of empty matches, as bits. */
const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;

/** The instructions that are followed between two pauses: a few tens of microseconds. */
const INSTRUCTIONS_A_STEP = 2_048;

/** @throws Error if this is another re2js than the one that the dependencies pin. */
function programOf(compiled: RE2JS): Program {
  const program = (compiled.re2Input as { readonly prog?: Partial<Program> }).prog;
  if (typeof program?.start !== 'number' || typeof program.inst?.[0]?.matchRune !== 'function') {
    throw new Error('re2js has no re2Input.prog any more, which src/agent/text is made for.');
  }
  return program as Program;
}

/**
 * Runs a compiled pattern over a text, all ways at once, in steps. The matcher of re2js does the same faster, but from
 * its first to its last character without a pause, and that can be seconds: its time is the size of the program times
 * the length of the text.
 */
export class PatternProgram {
  readonly #program: Program;
  /** The instructions that wait for the next character, and those behind it. */
  #now: InstructionSet;
  #next: InstructionSet;
  readonly #forks: number[] = [];
  #followed = 0;

  /** @throws Error if this is another re2js than the one that the dependencies pin. */
  constructor(compiled: RE2JS) {
    this.#program = programOf(compiled);
    this.#now = new InstructionSet(this.#program.inst.length);
    this.#next = new InstructionSet(this.#program.inst.length);
  }

  /** Whether the pattern matches anything in the text. One text at a time. */
  *matches(text: string): Generator<undefined, boolean> {
    this.#now.clear();
    let before = -1;
    for (let position = 0; ;) {
      const rune = text.codePointAt(position) ?? -1;
      // A match may begin anywhere.
      if (this.#follow(this.#now, this.#program.start, conditions(before, rune))) {
        return true;
      }
      if (rune === -1) {
        return false;
      }
      position += rune > 0xffff ? 2 : 1;
      if (this.#take(rune, conditions(rune, text.codePointAt(position) ?? -1))) {
        return true;
      }
      before = rune;
      if (this.#followed >= INSTRUCTIONS_A_STEP) {
        this.#followed = 0;
        yield;
      }
    }
  }

  /** Takes a character. Returns whether something matches up to there. */
  #take(rune: number, behind: number): boolean {
    const now = this.#now;
    const next = this.#next;
    next.clear();
    this.#followed += now.size;
    for (let index = 0; index < now.size; index += 1) {
      const instruction = this.#program.inst[now.at(index)];
      if (
        instruction !== undefined &&
        instruction.op >= OP.RUNE &&
        instruction.matchRune(rune) &&
        this.#follow(next, instruction.out, behind)
      ) {
        return true;
      }
    }
    this.#now = next;
    this.#next = now;
    return false;
  }

  /** Adds an instruction, and all that follow without a character. Returns whether the match is among them. */
  #follow(set: InstructionSet, first: number, conditionsHere: number): boolean {
    const forks = this.#forks;
    forks.length = 0;
    for (let at: number | undefined = first; at !== undefined;) {
      const instruction: Instruction | undefined = set.add(at) ? this.#program.inst[at] : undefined;
      at = undefined;
      if (instruction !== undefined) {
        this.#followed += 1;
        switch (instruction.op) {
          case OP.MATCH:
            return true;
          case OP.ALT:
          case OP.ALT_MATCH:
            forks.push(instruction.arg);
            at = instruction.out;
            break;
          case OP.CAPTURE:
          case OP.NOP:
            at = instruction.out;
            break;
          case OP.EMPTY_WIDTH:
            at = (instruction.arg & ~conditionsHere) === 0 ? instruction.out : undefined;
            break;
        }
      }
      at ??= forks.pop();
    }
    return false;
  }
}

/** A set of instructions that is emptied at once. */
class InstructionSet {
  readonly #members: Int32Array;
  readonly #places: Int32Array;
  size = 0;

  constructor(capacity: number) {
    this.#members = new Int32Array(capacity);
    this.#places = new Int32Array(capacity);
  }

  at(index: number): number {
    return this.#members[index] ?? 0;
  }

  /** Returns whether it was not there. */
  add(instruction: number): boolean {
    const place = this.#places[instruction] ?? 0;
    if (place < this.size && this.#members[place] === instruction) {
      return false;
    }
    this.#places[instruction] = this.size;
    this.#members[this.size] = instruction;
    this.size += 1;
    return true;
  }

  clear(): void {
    this.size = 0;
  }
}

/** The conditions that hold between two characters; -1 stands for an end of the text. */
function conditions(before: number, behind: number): number {
  return (
    (before === -1 ? BEGIN_TEXT | BEGIN_LINE : 0) |
    (behind === -1 ? END_TEXT | END_LINE : 0) |
    (before === 0x0a ? BEGIN_LINE : 0) |
    (behind === 0x0a ? END_LINE : 0) |
    (isWord(before) === isWord(behind) ? NO_WORD_BOUNDARY : WORD_BOUNDARY)
  );
}

/** Letters, digits and the underscore of ASCII, as in RE2. */
function isWord(rune: number): boolean {
  return (
    (rune >= 0x61 && rune <= 0x7a) ||
    (rune >= 0x41 && rune <= 0x5a) ||
    (rune >= 0x30 && rune <= 0x39) ||
    rune === 0x5f
  );
}
