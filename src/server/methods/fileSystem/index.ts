import { Semaphore } from '../../../core/index.js';
import type { ParamsOf, ResultOf } from '../../../protocol/index.js';
import { answerBudgetOf } from '../answerBudget.js';
import {
  type ConnectionContext,
  connectionState,
  type MethodHandlers,
  serverState,
} from '../methodHandlers.js';
import { decodeSandbox } from '../sandbox.js';
import { FileHandles } from './fileHandles.js';
import { withOsAnswers } from './fileAnswers.js';
import { type FileWork, ownFileWork, type PathMethod } from './fileWork.js';
import { HELPERS_AT_ONCE, LISTING_BYTES, LISTINGS_AT_ONCE } from './limits.js';
import { SandboxedFiles, type StartHelper } from './sandboxedFiles.js';
import { readWholeFile, writeWholeFile } from './wholeFiles.js';

export { sandboxedHelpers } from './sandboxedFiles.js';

const orderOf = connectionState(() => new AccessOrder());

const handlesOf = connectionState((context) => {
  const handles = new FileHandles(context.quotas.openFiles);
  context.onEnd(() => handles.end());
  return handles;
});

const listingsOf = serverState(() => new Semaphore(LISTINGS_AT_ONCE));
const helpersOf = serverState(() => new Semaphore(HELPERS_AT_ONCE));

type FileMethod<P, R> = (params: P, context: ConnectionContext) => Promise<R>;

function looks<P, R>(run: FileMethod<P, R>): FileMethod<P, R> {
  return (params, context) => orderOf(context).look(() => withOsAnswers(run(params, context)));
}

function changes<P, R>(run: FileMethod<P, R>): FileMethod<P, R> {
  return (params, context) => orderOf(context).change(() => withOsAnswers(run(params, context)));
}

/**
 * Makes a listing, whose size only shows when it is there. Each client has few at a time, until it has taken them, and
 * the whole server makes few at a time.
 */
function inTurn<R>(context: ConnectionContext, make: () => Promise<R>): Promise<R> {
  return answerBudgetOf(context).run(LISTING_BYTES, () =>
    listingsOf(context).run(async () => {
      context.signal.throwIfAborted();
      return make();
    }),
  );
}

/** @param start Starts the helper for requests with a sandbox. */
export function fileSystemMethods(start: StartHelper): MethodHandlers {
  const workFor = (given: unknown, context: ConnectionContext): FileWork => {
    const { cwd, hostEnv } = context.environment;
    const sandbox = decodeSandbox(given, { cwd, variables: () => hostEnv });
    return sandbox === undefined
      ? ownFileWork
      : new SandboxedFiles(start, sandbox, helpersOf(context), context.signal);
  };
  const by =
    <M extends PathMethod>(method: M): FileMethod<ParamsOf<M>, ResultOf<M>> =>
    (params, context) =>
      workFor(params.sandbox, context).run(method, params, context.signal);
  const listing =
    <M extends PathMethod>(method: M): FileMethod<ParamsOf<M>, ResultOf<M>> =>
    (params, context) =>
      inTurn(context, () => by(method)(params, context));
  return {
    'fs/readFile': looks((params, context) =>
      readWholeFile(params, answerBudgetOf(context), workFor(params.sandbox, context)),
    ),
    'fs/writeFile': changes((params, context) => writeWholeFile(params, workFor(params.sandbox, context))),
    'fs/createDirectory': changes(by('fs/createDirectory')),
    'fs/getMetadata': looks(by('fs/getMetadata')),
    'fs/canonicalize': looks(by('fs/canonicalize')),
    'fs/readDirectory': looks(listing('fs/readDirectory')),
    'fs/walk': looks(listing('fs/walk')),
    'fs/remove': changes(by('fs/remove')),
    'fs/copy': changes(by('fs/copy')),
    'fs/open': changes((params, context) =>
      handlesOf(context).open(params, workFor(params.sandbox, context)),
    ),
    'fs/readBlock': looks((params, context) =>
      answerBudgetOf(context).run(params.len, () => handlesOf(context).readBlock(params)),
    ),
    'fs/writeBlock': changes((params, context) => handlesOf(context).writeBlock(params)),
    'fs/close': changes((params, context) => handlesOf(context).close(params)),
  };
}

/**
 * Keeps the file operations of one client in order where that matters. Changes run one after the other; between two
 * changes, operations that only look run side by side. So a client need not wait for an answer before its next request.
 */
export class AccessOrder {
  #lastChange: Promise<unknown> = Promise.resolve();
  /** All looks since that change. */
  #looks: Promise<unknown> = Promise.resolve();

  look<T>(run: () => Promise<T>): Promise<T> {
    const looked = this.#lastChange.then(run);
    this.#looks = settled([this.#looks, looked]);
    return looked;
  }

  change<T>(run: () => Promise<T>): Promise<T> {
    const changed = settled([this.#lastChange, this.#looks]).then(run);
    this.#lastChange = settled([changed]);
    this.#looks = Promise.resolve();
    return changed;
  }
}

async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
}
