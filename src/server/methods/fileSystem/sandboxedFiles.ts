import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

import { onAbort, type Sandbox, type Semaphore } from '../../../core/index.js';
import type { LocalBackend, SandboxedHelper } from '../../../local/index.js';
import { type ParamsOf, type ResultOf, WireCode, WireError } from '../../../protocol/index.js';
import type { FileWork, PathMethod } from './fileWork.js';
import type { OpenedFile, OpenOptions } from './openFile.js';

/** The helper runs a method, or opens a file and keeps it open until its input ends. */
export type HelperRequest =
  | { readonly method: PathMethod; readonly params: object }
  | { readonly open: readonly [file: string, flags: number, options: OpenOptions] };

/** The result of opening a file is its descriptor in the helper. */
export type HelperAnswer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

type Argv = readonly [string, ...string[]];

/** These methods change files; the others look. */
const CHANGES: ReadonlySet<PathMethod> = new Set(['fs/createDirectory', 'fs/remove', 'fs/copy']);

/** Starts a helper in a sandbox; by default the program that takes a {@link HelperRequest}. */
export type StartHelper = (sandbox: Sandbox, argv?: Argv) => Promise<SandboxedHelper>;

/** @param folder The folder of the bundles. */
export function sandboxedHelpers(backend: LocalBackend, folder: string): StartHelper {
  const program: Argv = [process.execPath, path.join(folder, 'sandboxed-files.js')];
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return (sandbox, argv = program) => backend.startSandboxedHelper(argv, env, sandbox);
}

/** A helper that opens one file for writing, and makes it if it is missing. If it cannot, it gives no answer. */
const shellThatOpens = (file: string): Argv => {
  const answer: HelperAnswer = { result: 3 };
  return ['/bin/sh', '-c', `exec 3<>"$0" && echo '${JSON.stringify(answer)}' && read -r end`, file];
};

/**
 * Does the work of one request in a sandbox, by a helper that ends with it. So the kernel itself refuses what the
 * sandbox does not allow. After a check of real paths, a link could still change.
 */
export class SandboxedFiles implements FileWork {
  readonly #start: StartHelper;
  readonly #sandbox: Sandbox;
  readonly #helpers: Semaphore;
  readonly #signal: AbortSignal;

  /**
   * @param helpers Bounds the helpers that run at the same time.
   * @param signal Aborted when the connection ends.
   */
  constructor(start: StartHelper, sandbox: Sandbox, helpers: Semaphore, signal: AbortSignal) {
    this.#start = start;
    this.#sandbox = sandbox;
    this.#helpers = helpers;
    this.#signal = signal;
  }

  /** The helper finds the file. Its content then goes through a descriptor of this process. */
  readonly open = async (file: string, flags: number, options: OpenOptions): Promise<OpenedFile> => {
    const changes = (flags & constants.O_CREAT) !== 0;
    const quickly =
      changes && options.followSymlinks !== false ? await this.#openQuickly(file, flags) : undefined;
    return (
      quickly ??
      this.#ask(this.#helper(changes), { open: [file, flags, options] }, (result, helper) =>
        reopen(result, helper, flags & ~constants.O_TRUNC),
      )
    );
  };

  run<M extends PathMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const request = { method, params: { ...params, sandbox: undefined } };
    const helper = this.#helper(CHANGES.has(method));
    return this.#ask(helper, request, (result) => Promise.resolve(result as ResultOf<M>));
  }

  /** A look has no writable place: it would list the mount points below it. */
  #helper(changes: boolean): () => Promise<SandboxedHelper> {
    return () => this.#start(changes ? this.#sandbox : { ...this.#sandbox, places: [] });
  }

  /** A shell takes a tenth of the time that Node takes. Undefined if it fails. */
  async #openQuickly(file: string, flags: number): Promise<OpenedFile | undefined> {
    try {
      const shell = () => this.#start(this.#sandbox, shellThatOpens(file));
      const opened = await this.#ask(shell, undefined, (result, helper) => reopen(result, helper, flags));
      if (opened.stats.isFile()) {
        return opened;
      }
      await opened.handle.close();
    } catch {
      // The other helper tells the reason.
    }
    return undefined;
  }

  #ask<T>(
    start: () => Promise<SandboxedHelper>,
    request: HelperRequest | undefined,
    use: (result: unknown, helper: SandboxedHelper) => Promise<T>,
  ): Promise<T> {
    return this.#helpers.run(async () => {
      const helper = await start();
      const { stdin } = helper.child;
      stdin?.on('error', () => undefined); // A missing answer tells it.
      stdin?.write(request === undefined ? '' : `${JSON.stringify(request)}\n`);
      const abort = onAbort(this.#signal, () => stdin?.end());
      try {
        return await use(await resultOf(helper), helper);
      } finally {
        abort.dispose();
        stdin?.end();
        await helper.ended;
      }
    });
  }
}

async function resultOf({ child: { stdout } }: SandboxedHelper): Promise<unknown> {
  let text = '';
  for await (const more of (stdout?.setEncoding('utf8') ?? []) as AsyncIterable<string>) {
    text += more;
    if (text.endsWith('\n')) {
      const answer = JSON.parse(text) as HelperAnswer;
      if ('error' in answer) {
        throw new WireError(answer.error.code, answer.error.message);
      }
      return answer.result;
    }
  }
  throw new WireError(
    WireCode.internal,
    'the program in the sandbox has ended; part of the work may be done',
  );
}

/** Opens what a helper has open, wherever it lies by now. */
async function reopen(descriptor: unknown, { pid }: SandboxedHelper, flags: number): Promise<OpenedFile> {
  const handle = await open(`/proc/${String(pid)}/fd/${String(descriptor)}`, flags & ~constants.O_CREAT);
  return { handle, stats: await handle.stat() };
}
