import type { EmulatorText } from '../../terminal/index.js';

/** What a terminal gets around the output of a session, for VS Code alone. */
export interface PlayerMarks {
  readonly begin: string;
  /** @param exitCode Absent if it is not known. */
  end(exitCode: number | undefined): string;
  /** The end of an output that had an end without an exit code before. */
  lateEnd(exitCode: number | undefined): string;
}

/**
 * The bytes of output that stand between the two marks. From the first mark to the second, VS Code's window sends every
 * character that it has got back to its extension host, for extensions that read along: of a flood, all of it (a terminal
 * then showed 8.7 MB/s where it shows 14.5 without, and the extension host stood still for 190 ms and not for 40).
 * https://github.com/microsoft/vscode/blob/1.100.3/src/vs/workbench/api/browser/mainThreadTerminalShellIntegration.ts
 */
export const MARKED_BYTES = 1024 * 1024;

/**
 * The marks around the output of one session in one terminal. Behind {@link MARKED_BYTES} the command ends for VS Code,
 * with an unknown outcome; its decoration, the way back to it and its directory for links stay. The outcome is then that of
 * a second command of the same name, at the end of the output.
 */
export class OutputMarks {
  readonly #marks: PlayerMarks;
  #bytes = 0;
  /** Whether VS Code takes the command for one that still runs. */
  #begun = false;

  constructor(marks: PlayerMarks) {
    this.#marks = marks;
  }

  /** Stands before all output. */
  begin(): string {
    this.#begun = true;
    return this.#marks.begin;
  }

  /**
   * @param bytes The size of the output that the text is of.
   * @param fullScreen Whether the text ends on the alternate screen: what is marked there is gone with it.
   * @returns the text, with the early end in it if this is the place for it.
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

  /** Stands behind all output. */
  end(exitCode: number | undefined): string {
    return this.#begun ? this.#marks.end(exitCode) : this.#marks.lateEnd(exitCode);
  }
}
