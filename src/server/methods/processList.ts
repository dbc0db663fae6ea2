import { ExecError, type ProcessInfo } from '../../core/index.js';
import {
  CLIENT_MAX_MESSAGE_BYTES,
  type ProcessDescription,
  type ResultOf,
  WireCode,
  WireError,
} from '../../protocol/index.js';
import type { AnswerBudget } from './answerBudget.js';

/** The most bytes of one page, unless one process alone has more. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** The most bytes of a list without pages: the largest message that a client takes, less the rest of the message. */
const WHOLE_BYTES = CLIENT_MAX_MESSAGE_BYTES - 64 * 1024;

/** The processes to list, and how to describe them to the client. */
export interface Listed {
  readonly infos: readonly ProcessInfo[];
  readonly describe: (info: ProcessInfo) => ProcessDescription;
}

/**
 * The answer to `process/list`.
 *
 * @throws ExecError if it is larger than a message, which would end the connection of the client.
 */
export function wholeList(
  look: () => Promise<Listed>,
  budget: AnswerBudget,
): Promise<ResultOf<'process/list'>> {
  return inTurn(whole, look, budget);
}

/**
 * The answer to `process/listPage`.
 *
 * @param after The `next` of the page before, or empty for the first page.
 * @throws WireError if it is neither.
 */
export async function pageOfList(
  after: string,
  look: () => Promise<Listed>,
  budget: AnswerBudget,
): Promise<ResultOf<'process/listPage'>> {
  return inTurn(pageAfter(after), look, budget);
}

/**
 * Makes an answer as soon as there is room for it: arguments and metadata are as large as clients have made them. A
 * waiting call keeps only the answer's size.
 */
async function inTurn<A>(
  make: (listed: Listed) => Made<A>,
  look: () => Promise<Listed>,
  budget: AnswerBudget,
): Promise<A> {
  const { bytes } = make(await look());
  return budget.run(bytes, async () => make(await look()).answer);
}

interface Made<A> {
  readonly answer: A;
  readonly bytes: number;
}

function whole({ infos, describe }: Listed): Made<ResultOf<'process/list'>> {
  const { processes, bytes } = describeUpTo(WHOLE_BYTES, infos, describe);
  if (bytes > WHOLE_BYTES || processes.length < infos.length) {
    throw new ExecError({ kind: 'listTooLarge', limitBytes: WHOLE_BYTES });
  }
  return { answer: { processes }, bytes };
}

function pageAfter(after: string): (listed: Listed) => Made<ResultOf<'process/listPage'>> {
  const place = readPlace(after);
  return ({ infos, describe }) => {
    const rest = infos.filter((info) => place === undefined || order(info, place) > 0).sort(order);
    const { processes, bytes } = describeUpTo(PAGE_BYTES, rest, describe);
    const last = rest[processes.length - 1];
    const isLastPage = last === undefined || processes.length === rest.length;
    return { answer: { processes, ...(!isLastPage && { next: placeOf(last) }) }, bytes };
  };
}

/** Describes processes until the next one would be too much, but at least one. */
function describeUpTo(
  limit: number,
  infos: readonly ProcessInfo[],
  describe: Listed['describe'],
): { readonly processes: ProcessDescription[]; readonly bytes: number } {
  const processes: ProcessDescription[] = [];
  let bytes = 0;
  for (const info of infos) {
    const description = describe(info);
    const size = Buffer.byteLength(JSON.stringify(description)) + 1;
    if (processes.length > 0 && bytes + size > limit) {
      break;
    }
    processes.push(description);
    bytes += size;
  }
  return { processes, bytes };
}

/** A place among all processes, including those that have ended since. */
type Place = Pick<ProcessInfo, 'startedAt' | 'processId'>;

/**
 * Both values stay the same for as long as the process is known. So each process is on one page, whatever comes and
 * goes.
 */
function order(one: Place, other: Place): number {
  return one.startedAt - other.startedAt || (one.processId > other.processId ? 1 : -1);
}

function placeOf({ startedAt, processId }: Place): string {
  return `${startedAt} ${processId}`;
}

function readPlace(text: string): Place | undefined {
  if (text === '') {
    return undefined;
  }
  const [startedAt = '', ...handle] = text.split(' ');
  if (startedAt === '' || !Number.isFinite(Number(startedAt))) {
    throw new WireError(
      WireCode.invalidParams,
      '"after" is wrong: it has to be the "next" of an earlier page',
    );
  }
  return { startedAt: Number(startedAt), processId: handle.join(' ') };
}
