/** A file or directory with everything below it, by an absolute path of the machine that runs the process. */
export interface SandboxPlace {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** Every program may expect to write here. */
export const TEMPORARY_FOLDER = '/tmp';

/** The bounds of a process that runs in a sandbox. It may read everything that its user may read. */
export interface Sandbox {
  /** The most specific place decides, in any order; at one path, `write` wins over `read`. Elsewhere it may read. */
  readonly places: readonly SandboxPlace[];
  /** Whether it may use sockets and connect to other programs. */
  readonly network: boolean;
}

/** A failure that looks like a refusal by the sandbox. The program may have failed for another reason. */
export interface SandboxRefusal {
  /** The file that the program's output names, if it does. */
  readonly file?: string | undefined;
}
