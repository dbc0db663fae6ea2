import type { IncomingMessage } from 'node:http';

import { type Disposable, systemClock } from '../../../core/index.js';
import { Answer, encodeBase64, type ParamsOf, type ResultOf, WireError } from '../../../protocol/index.js';
import { answerBudgetOf } from '../answerBudget.js';
import { type ConnectionContext, connectionState, type MethodHandlers } from '../methodHandlers.js';
import { QUOTA_OPTIONS } from '../../quotas.js';
import { BodyMemory, SendWindow, streamBody } from './body.js';
import { badRequest, bodyFailed, requestFailed, wordsOf } from './httpError.js';
import { STREAM_WINDOW_BYTES } from './limits.js';
import { prepareRequest } from './request.js';
import { responseHeaders, send } from './send.js';

type Params = ParamsOf<'http/request'>;
type Result = ResultOf<'http/request'>;

/** The state of all HTTP requests of one connection. */
interface HttpState {
  readonly memory: BodyMemory;
  readonly window: SendWindow;
  /** The ids of the requests whose body is being streamed, or will be. */
  readonly streams: Set<string>;
  /** The requests that have not ended. A request with a stream ends with its body. */
  readonly open: Set<RequestTime>;
}

const stateOf = connectionState<HttpState>(() => ({
  memory: new BodyMemory(),
  window: new SendWindow(STREAM_WINDOW_BYTES),
  streams: new Set(),
  open: new Set(),
}));

export const httpMethods: MethodHandlers = {
  'http/request': (params, context) =>
    params.streamResponse === true
      ? streamed(params, context, stateOf(context))
      : buffered(params, context, stateOf(context)),
};

async function buffered(
  params: Params,
  context: ConnectionContext,
  { memory, open }: HttpState,
): Promise<Result> {
  const request = prepareRequest(params, context.environment);
  const time = timeFor(params, context, open);
  try {
    const response = await send(request, time.signal);
    const budget = answerBudgetOf(context);
    const bodyBase64 = await collect(response, memory, (bytes) =>
      budget.run(bytes.length, () => Promise.resolve(encodeBase64(bytes))),
    );
    return { ...head(response), bodyBase64 };
  } finally {
    time.dispose();
  }
}

async function collect(
  response: IncomingMessage,
  memory: BodyMemory,
  use: (bytes: Uint8Array) => Promise<string>,
): Promise<string> {
  try {
    return await memory.collect(response, use);
  } catch (error) {
    throw error instanceof WireError ? error : bodyFailed(`error decoding response body: ${wordsOf(error)}`);
  }
}

async function streamed(
  params: Params,
  context: ConnectionContext,
  { streams, window, open }: HttpState,
): Promise<Answer<Result>> {
  const { requestId } = params;
  if (streams.has(requestId)) {
    throw badRequest(`streamResponse requestId \`${requestId}\` is already active`);
  }
  const request = prepareRequest(params, context.environment);
  const time = timeFor(params, context, open);
  streams.add(requestId);
  const end = () => {
    streams.delete(requestId);
    time.dispose();
  };
  try {
    const response = await send(request, time.signal);
    return new Answer({
      result: { ...head(response), bodyBase64: '' },
      afterwards: () => void streamBody(response, requestId, context, window, time.signal).finally(end),
    });
  } catch (error) {
    end();
    throw error;
  }
}

/** @throws WireError if the request may not be made. */
function timeFor({ timeoutMs }: Params, context: ConnectionContext, open: Set<RequestTime>): RequestTime {
  if (timeoutMs === 0) {
    throw requestFailed('timed out after 0 ms');
  }
  const most = context.quotas.httpRequests;
  if (open.size >= most) {
    throw requestFailed(
      `at most ${most} requests of one connection may be under way; ` +
        `wait for some of them, or start the exec-server with a larger ${QUOTA_OPTIONS.httpRequests}`,
    );
  }
  const time = new RequestTime(context, open, timeoutMs ?? undefined);
  open.add(time);
  return time;
}

/** The lifetime of a request and its body: it ends when the time limit is over or the connection has ended. */
class RequestTime implements Disposable {
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;
  readonly #open: Set<RequestTime>;
  readonly #ends: readonly Disposable[];

  /**
   * @param open The requests that it is one of until its end.
   * @param limitMs By default there is no time limit.
   */
  constructor(context: ConnectionContext, open: Set<RequestTime>, limitMs?: number) {
    this.#open = open;
    const end = context.onEnd(() => this.#abort.abort(new Error('the connection has ended')));
    const timer =
      limitMs === undefined
        ? []
        : [systemClock.after(limitMs, () => this.#abort.abort(new Error(`timed out after ${limitMs} ms`)))];
    this.#ends = [end, ...timer];
  }

  dispose(): void {
    this.#open.delete(this);
    this.#ends.forEach((end) => end.dispose());
  }
}

function head(response: IncomingMessage): Pick<Result, 'status' | 'headers'> {
  return { status: response.statusCode ?? 0, headers: responseHeaders(response) };
}
