/** Parts that differ in each run of the same job; each is replaced by its kind. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\bin \d+(?:\.\d+)?m?s\b/g, 'in TIME'],
  [/\babout the last [\d,]+\d/g, 'about the last MANY'],
  // How much is shown depends on the length of the cursors, and that on the pieces in which output comes.
  [/\[\.\.\. [\d,]+ lines \([\d,]+ tokens\) left out/g, '[... MANY lines left out'],
  [/, \d+ of them shown$/gm, ', SOME of them shown'],
  [/, cursor in row \d+, column \d+/g, ', cursor SOMEWHERE'],
  [/\bNode\.js v[\d.]+/g, 'Node.js VERSION'],
  // Older versions of vim count characters.
  [/\b(\d+L, \d+)C\b/g, '$1B'],
  // It depends on whether the program has got there.
  [/\brunning; it (?:waits for a line|reads its standard input)\b/g, 'running'],
  [/", for \d+ [sm]\b/g, '", for TIME'],
  [/^Wall time: [\d.]+ s$/gm, 'Wall time: TIME'],
  [/\bafter \d+(?:\.\d+)? ?m?s\b/g, 'after TIME'],
  [/\b(?:\d+(?:\.\d+)? (?:seconds?|minutes?|ms|s)) ago\b/g, 'TIME ago'],
  [/\bpid "?\d+"?/g, 'pid PID'],
  [/"pid":\d+/g, '"pid":PID'],
  [/\bcursor="?\d+(?:\+\d+)?"?/g, 'cursor="CURSOR"'],
  [/\bcursor "\d+(?:\+\d+)?"/g, 'cursor "CURSOR"'],
  [/^Cursor: \d+(?:\+\d+)?$/gm, 'Cursor: CURSOR'],
  [/^\d+(?:\+\d+)?(?=: )/gm, 'CURSOR'],
  [/"cursor":"?\d+(?:\+\d+)?"?/g, '"cursor":"CURSOR"'],
];

/** Replaces the parts of a job's texts that differ in each run. */
export class Normalizer {
  readonly #hidden: (readonly [string, string])[];
  readonly #dropped: RegExp[] = [];
  /** The numbers of sessions in the order in which they are met, which is that in which they were started. */
  readonly #sessions: string[] = [];

  constructor(folder: string) {
    this.#hidden = [[folder, '/work']];
  }

  drop(lines: RegExp): void {
    this.#dropped.push(lines);
  }

  hide(text: string, name: string): void {
    this.#hidden.push([text, name]);
  }

  normalize(text: string): string {
    let shown = this.#hidden.reduce((rest, [what, name]) => rest.replaceAll(what, name), text);
    for (const [pattern, name] of CHANGING) {
      shown = shown.replace(pattern, name);
    }
    for (const lines of this.#dropped) {
      shown = shown.replace(lines, '');
    }
    return shown.replace(
      /\b(Session |session |"session":"?|sessions":\[)(\d+)/g,
      (_, before: string, number: string) => `${before}${this.#orderOf(number)}`,
    );
  }

  #orderOf(number: string): number {
    if (!this.#sessions.includes(number)) {
      this.#sessions.push(number);
    }
    return this.#sessions.indexOf(number) + 1;
  }
}
