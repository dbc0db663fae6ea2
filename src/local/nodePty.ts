import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';

import type * as NodePty from 'node-pty';

import { ExecError, messageOf } from '../core/index.js';

/**
 * node-pty's own layer below its `Terminal`, which it exports on POSIX without calling it public: the version is
 * pinned, and {@link loadNodePty} looks at what it gets. Its public API loses the end of the output and everything that
 * is unread 200 ms after the exit, and has no close apart from the exit.
 * https://github.com/microsoft/node-pty/blob/v1.2.0-beta.15/src/unix/pty.cc
 */
export interface NativePty {
  /**
   * Forks the leader of a new POSIX session with a new controlling terminal. A missing program or directory is no error
   * here: the child reports it on its terminal and exits with 1.
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

export type PtyModule =
  | { readonly kind: 'native'; readonly native: NativePty; readonly helperPath: string }
  | { readonly kind: 'public'; readonly spawn: typeof NodePty.spawn };

let loading: Promise<PtyModule> | undefined;

/**
 * Loads node-pty at the first call.
 *
 * @throws ExecError if it cannot be loaded on this machine.
 */
export function loadNodePty(): Promise<PtyModule> {
  return (loading ??= load());
}

async function load(): Promise<PtyModule> {
  let module: typeof NodePty;
  try {
    module = await import('node-pty');
  } catch (error) {
    throw new ExecError({ kind: 'noTerminals', reason: messageOf(error) });
  }
  if (process.platform === 'win32') {
    return { kind: 'public', spawn: module.spawn };
  }
  const { native } = module as { native?: Partial<NativePty> };
  if (typeof native?.fork !== 'function' || typeof native.resize !== 'function') {
    throw new ExecError({ kind: 'noTerminals', reason: 'this version of node-pty is not the expected one' });
  }
  return { kind: 'native', native: native as NativePty, helperPath: findHelper() };
}

/** macOS starts terminals through a program beside the binding. Elsewhere the path is not used. */
function findHelper(): string {
  if (process.platform !== 'darwin') {
    return '';
  }
  const beside = path.join('prebuilds', `${process.platform}-${process.arch}`, 'spawn-helper');
  const places = [
    path.join(__dirname, beside),
    path.join(__dirname, '..', '..', 'node_modules', 'node-pty', beside),
  ];
  const helper = places.find((place) => existsSync(place));
  if (helper === undefined) {
    throw new ExecError({ kind: 'noTerminals', reason: `spawn-helper is missing: ${places[0] ?? ''}` });
  }
  // An archive that was packed on Windows has no executable bits.
  chmodSync(helper, 0o755);
  return helper;
}
