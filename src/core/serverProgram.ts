/** The program of a session server, as it tells of itself. */
export interface ServerProgram {
  readonly pid: number;
  /** The Node that it runs on, and the version of that. */
  readonly node: string;
  readonly nodeVersion: string;
  /** Whether that Node is a program for desktops, Electron, which is updated with VS Code. */
  readonly electron: boolean;
  /** The folder of its files. */
  readonly files: string;
  /** Whether these are a copy, which no update of the extension touches. */
  readonly copied: boolean;
  /** The service of systemd that it belongs to, and ends with; undefined if there is none. */
  readonly service?: string | undefined;
}
