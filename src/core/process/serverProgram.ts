/** The program of a session server, as the server describes it. */
export interface ServerProgram {
  readonly pid: number;
  /** The path of its Node, and that Node's version. */
  readonly node: string;
  readonly nodeVersion: string;
  /** Whether that Node is Electron, a program for desktops, which is updated with VS Code. */
  readonly electron: boolean;
  /** The folder of its files. */
  readonly files: string;
  /** Whether these files are a copy, which no update of the extension touches. */
  readonly copied: boolean;
  /** The systemd service that the server belongs to, and ends with; undefined if there is no such service. */
  readonly service?: string | undefined;
  /** Whether systemd ends it with the login that has started it. */
  readonly endsAtLogout?: boolean | undefined;
}
