import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants as osConstants } from 'node:os';
import path from 'node:path';

import type * as NodePty from 'node-pty';

import { ExecError, type TerminalTrouble } from '../../core/index.js';

/**
 * node-pty's own layer below its `Terminal`. It is exported on POSIX but not public, so the version is pinned and
 * {@link loadNodePty} checks what it gets. The public API loses the end of the output, and everything that is unread
 * 200 ms after the exit. It also cannot tell the close from the exit.
 * https://github.com/microsoft/node-pty/blob/v1.2.0-beta.15/src/unix/pty.cc
 */
export interface NativePty {
  /**
   * Forks the leader of a new POSIX session with a new controlling terminal. A missing program or directory is not an
   * error here: the child reports it on its terminal and exits with 1.
   */
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    /** Called from the event loop at the exit itself, even if output is unread. */
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

/**
 * A terminal of node-pty on Windows. Its event for "the process exists" is not public, but `pid` is 0 until then:
 * https://github.com/microsoft/node-pty/blob/v1.2.0-beta.15/src/windowsTerminal.ts
 */
export interface ConPty extends NodePty.IPty {
  on(event: 'ready_datapipe', listener: () => void): void;
}

export type SpawnConPty = (
  file: string,
  args: string[] | string,
  options: NodePty.IWindowsPtyForkOptions,
) => ConPty;

type PtyModule =
  | { readonly kind: 'native'; readonly native: NativePty; readonly helperPath: string }
  | { readonly kind: 'public'; readonly spawn: SpawnConPty };

let loading: Promise<PtyModule> | undefined;

/**
 * Loads node-pty at the first call. A failure is forgotten and the next call tries again, since descriptors or memory
 * may have been short. In the bundle this is a `require`, which can be repeated; Node keeps the failure of an
 * `import()`.
 *
 * @throws ExecError if it cannot be loaded on this machine; the error of the system if only descriptors or memory are
 *   short.
 */
export function loadNodePty(): Promise<PtyModule> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<PtyModule> {
  let module: typeof NodePty;
  try {
    module = await import('node-pty');
  } catch (error) {
    throw shortageBehind(error) ?? noTerminals(terminalTrouble() ?? troubleBehind(error));
  }
  if (process.platform === 'win32') {
    return { kind: 'public', spawn: module.spawn as SpawnConPty };
  }
  const { native } = module as { native?: Partial<NativePty> };
  if (typeof native?.fork !== 'function' || typeof native.resize !== 'function') {
    throw noTerminals('unusable');
  }
  return { kind: 'native', native: native as NativePty, helperPath: helperPath() };
}

function noTerminals(reason: TerminalTrouble): ExecError {
  return new ExecError({ kind: 'noTerminals', reason });
}

/**
 * Finds out why there can be no terminals on this machine. Undefined if there can be, or if descriptors are too short
 * to tell. This loads only node-pty's binding and checks that the other files exist. Loading them would take ten times
 * as long; the first terminal does it.
 */
export function terminalTrouble(): TerminalTrouble | undefined {
  try {
    const binding = bindingFile();
    if (binding === undefined) {
      return 'missing';
    }
    createRequire(__filename)(binding);
    helperPath();
    return undefined;
  } catch (error) {
    return shortageBehind(error) ? undefined : troubleBehind(error);
  }
}

/** The facts about terminals for a report: the file of node-pty's binary, and the reason why there can be none. */
export function terminalSupport(): {
  readonly binding: string | undefined;
  readonly trouble: TerminalTrouble | undefined;
} {
  return { binding: bindingFile(), trouble: terminalTrouble() };
}

/**
 * @returns undefined if there is no binding for this machine.
 * @throws the error of Node if node-pty is missing.
 */
function bindingFile(): string | undefined {
  return find(BINDING_FOLDERS, process.platform === 'win32' ? 'conpty.node' : 'pty.node');
}

/**
 * The shortage of descriptors that caused an error, as an error with its number; the loader of libraries has only words
 * for it.
 */
function shortageBehind(error: unknown): NodeJS.ErrnoException | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  const short = SHORTAGES.find(({ name, words }) => code === name || message.includes(words));
  return (
    short && Object.assign(new Error(message), { code: short.name, errno: -osConstants.errno[short.name] })
  );
}

/** Shortages of the machine, and of this process. */
const SHORTAGES = [
  { name: 'ENFILE', words: 'Too many open files in system' },
  { name: 'EMFILE', words: 'Too many open files' },
] as const;

function troubleBehind(error: unknown): TerminalTrouble {
  if (error instanceof ExecError && error.failure.kind === 'noTerminals') {
    return error.failure.reason as TerminalTrouble;
  }
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  // "failed to map segment": the file is on a file system that is mounted without the right to execute.
  if (/^(?:EACCES|EPERM|EROFS)$/.test(code) || /permission denied|not permitted|map segment/i.test(message)) {
    return 'forbidden';
  }
  return code === 'ERR_DLOPEN_FAILED' ? 'unsuitable' : code === 'MODULE_NOT_FOUND' ? 'missing' : 'unusable';
}

const PREBUILDS = path.join('prebuilds', `${process.platform}-${process.arch}`);

/** The places where node-pty looks for its binding, in its order. */
const BINDING_FOLDERS = [path.join('build', 'Release'), path.join('build', 'Debug'), PREBUILDS];

/**
 * Finds a file of node-pty as node-pty itself does: above its own code as in its package, or beside it as in a bundle.
 *
 * @throws the error of Node if node-pty is missing.
 */
function find(folders: readonly string[], name: string): string | undefined {
  const code = path.dirname(require.resolve('node-pty'));
  return folders
    .flatMap((folder) => [path.dirname(code), code].map((place) => path.join(place, folder, name)))
    .find((file) => existsSync(file));
}

/**
 * macOS starts terminals through a program beside the binding. Other systems do not use the path.
 *
 * @throws ExecError if it is missing; the error of the system if it cannot be made executable.
 */
function helperPath(): string {
  if (process.platform !== 'darwin') {
    return '';
  }
  const helper = find([PREBUILDS], 'spawn-helper');
  if (helper === undefined) {
    throw noTerminals('missing');
  }
  try {
    accessSync(helper, constants.X_OK);
  } catch {
    // An archive that was packed on Windows has no executable bits.
    chmodSync(helper, 0o755);
  }
  return helper;
}
