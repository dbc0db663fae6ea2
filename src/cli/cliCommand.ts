/** A command, as the command line asks for it. */
export interface CliCommand {
  /** @returns the exit code */
  run(): Promise<number>;
  /** The exit code of a failure that has no code of its own. */
  readonly failureCode: number;
}

/** Takes the command that was found. */
export type Take = (run: CliCommand['run'], failureCode?: number) => void;
