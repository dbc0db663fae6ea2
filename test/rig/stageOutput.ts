import fs from 'node:fs';

/**
 * The output of stages that run side by side, one stage after the other. The output of the first is printed as it
 * comes; that of the others is kept until their turn. The programs of each stage write to a file. A pipe would have to
 * be read until the last process closes it, and a process that a test has left behind never does.
 */
export class StageOutput {
  readonly #parts: Part[] = [];
  readonly #print: (text: string | Uint8Array) => void;

  constructor(print: (text: string | Uint8Array) => void) {
    this.#print = print;
  }

  /** Begins the part of a stage; it comes after those that have begun earlier. */
  begin(heading: string, file: string): StagePart {
    const part: Part = { heading, file, descriptor: fs.openSync(file, 'a'), copied: 0, ending: undefined };
    this.#parts.push(part);
    this.flush();
    return {
      descriptor: part.descriptor,
      end: (line) => {
        fs.closeSync(part.descriptor);
        part.ending = line;
        this.flush();
      },
    };
  }

  /** Prints everything that is there and whose turn it is. */
  flush(): void {
    for (let part = this.#parts[0]; part !== undefined; part = this.#parts[0]) {
      if (part.heading !== undefined) this.#print(`\n${part.heading}\n`);
      part.heading = undefined;
      const fresh = fs.readFileSync(part.file).subarray(part.copied);
      if (fresh.length > 0) this.#print(fresh);
      part.copied += fresh.length;
      if (part.ending === undefined) return;
      this.#print(`${part.ending}\n`);
      this.#parts.shift();
    }
  }
}

/** The place of one stage in the output. */
export interface StagePart {
  /** A file descriptor for everything that its programs print. */
  readonly descriptor: number;
  /** Ends the part with a last line. */
  end(line: string): void;
}

interface Part {
  /** Undefined once it is printed. */
  heading: string | undefined;
  readonly file: string;
  readonly descriptor: number;
  copied: number;
  /** The last line, once the stage is over. */
  ending: string | undefined;
}
