import { Semaphore } from '../../../core/index.js';
import { answerBudgetOf } from '../answerBudget.js';
import {
  type ConnectionContext,
  connectionState,
  type MethodHandlers,
  serverState,
} from '../methodHandlers.js';
import { copy } from './copy.js';
import { createDirectory, readDirectory } from './directories.js';
import { FileHandles } from './fileHandles.js';
import { withOsAnswers } from './fileAnswers.js';
import { LISTING_BYTES, LISTINGS_AT_ONCE } from './limits.js';
import { canonicalize, getMetadata } from './metadata.js';
import { remove } from './remove.js';
import { walk } from './walk.js';
import { readWholeFile, writeWholeFile } from './wholeFiles.js';

const orderOf = connectionState(() => new AccessOrder());

const handlesOf = connectionState((context) => {
  const handles = new FileHandles(context.quotas.openFiles);
  context.onEnd(() => handles.end());
  return handles;
});

const listingsOf = serverState(() => new Semaphore(LISTINGS_AT_ONCE));

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
function listing<R>(context: ConnectionContext, make: () => Promise<R>): Promise<R> {
  return answerBudgetOf(context).run(LISTING_BYTES, () =>
    listingsOf(context).run(async () => {
      context.signal.throwIfAborted();
      return make();
    }),
  );
}

export const fileSystemMethods: MethodHandlers = {
  'fs/readFile': looks((params, context) => readWholeFile(params, answerBudgetOf(context))),
  'fs/writeFile': changes(writeWholeFile),
  'fs/createDirectory': changes(createDirectory),
  'fs/getMetadata': looks(getMetadata),
  'fs/canonicalize': looks(canonicalize),
  'fs/readDirectory': looks((params, context) => listing(context, () => readDirectory(params))),
  'fs/walk': looks((params, context) => listing(context, () => walk(params, context.signal))),
  'fs/remove': changes(remove),
  'fs/copy': changes((params, { signal }) => copy(params, signal)),
  'fs/open': changes((params, context) => handlesOf(context).open(params)),
  'fs/readBlock': looks((params, context) =>
    answerBudgetOf(context).run(params.len, () => handlesOf(context).readBlock(params)),
  ),
  'fs/writeBlock': changes((params, context) => handlesOf(context).writeBlock(params)),
  'fs/close': changes((params, context) => handlesOf(context).close(params)),
};

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
