import type { EmulatorText } from '../../terminal/index.js';

/** The marks around the output of a session in a terminal. Only VS Code reads them. */
export interface PlayerMarks {
  readonly begin: string;
  /** @param exitCode Absent if it is not known. */
  end(exitCode: number | undefined): string;
  /** The end of an output that already had an end without an exit code. */
  lateEnd(exitCode: number | undefined): string;
}

/**
 * The bytes of output between the two marks. Between them, VS Code's window sends every character back to its extension
 * host, for extensions that read along. In a flood a terminal then showed 8.7 MB/s instead of 14.5, and the extension
 * host stood still for 190 ms instead of 40.
 * https://github.com/microsoft/vscode/blob/1.100.3/src/vs/workbench/api/browser/mainThreadTerminalShellIntegration.ts
 */
export const MARKED_BYTES = 1024 * 1024;

/**
 * The marks around the output of one session in one terminal. After {@link MARKED_BYTES} the command ends for VS Code,
 * with an unknown outcome; its decoration, the way back to it and its directory for links stay. A second command of the
 * same name, at the end of the output, then has the outcome.
 */
export class OutputMarks {
  readonly #marks: PlayerMarks;
  #bytes = 0;
  /** Whether VS Code believes that the command still runs. */
  #begun = false;

  constructor(marks: PlayerMarks) {
    this.#marks = marks;
  }

  /** The mark before all output. */
  begin(): string {
    this.#begun = true;
    return this.#marks.begin;
  }

  /**
   * @param bytes The size of the output from which the text was made.
   * @param fullScreen Whether the text ends on the alternate screen, where marks are lost with it.
   * @returns the text, with the early end in it if it belongs here.
   */
  pass(output: EmulatorText, bytes: number, fullScreen: boolean): EmulatorText {
    this.#bytes += bytes;
    const { text, safePlace } = output;
    if (!this.#begun || this.#bytes <= MARKED_BYTES || fullScreen || safePlace === undefined) {
      return output;
    }
    this.#begun = false;
    const mark = this.#marks.end(undefined);
    return {
      text: text.slice(0, safePlace) + mark + text.slice(safePlace),
      safePlace: safePlace + mark.length,
    };
  }

  /** The mark after all output. */
  end(exitCode: number | undefined): string {
    return this.#begun ? this.#marks.end(exitCode) : this.#marks.lateEnd(exitCode);
  }
}
