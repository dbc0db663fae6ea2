import type { IncomingMessage } from 'node:http';

import { encodeBase64, type ParamsOf, type ResultOf, WireError } from '../../../protocol/index.js';
import { afterAnswer } from '../afterAnswer.js';
import { answerBudgetOf } from '../answerBudget.js';
import { connectionState } from '../connectionState.js';
import type { ConnectionContext, MethodHandlers } from '../methodHandlers.js';
import { BodyMemory } from './bodyMemory.js';
import { badRequest, bodyFailed, requestFailed, wordsOf } from './httpError.js';
import { STREAM_WINDOW_BYTES } from './limits.js';
import { prepareRequest } from './preparedRequest.js';
import { RequestTime } from './requestTime.js';
import { responseHeaders } from './responseHeaders.js';
import { send } from './send.js';
import { SendWindow } from './sendWindow.js';
import { streamBody } from './streamBody.js';

type Params = ParamsOf<'http/request'>;
type Result = ResultOf<'http/request'>;

/** What a connection has of requests. */
interface HttpState {
  readonly memory: BodyMemory;
  readonly window: SendWindow;
  /** The ids whose body is being streamed, or will be. */
  readonly streams: Set<string>;
}

const stateOf = connectionState<HttpState>(() => ({
  memory: new BodyMemory(),
  window: new SendWindow(STREAM_WINDOW_BYTES),
  streams: new Set(),
}));

export const httpMethods: MethodHandlers = {
  'http/request': (params, context) =>
    params.streamResponse === true
      ? streamed(params, context, stateOf(context))
      : buffered(params, context, stateOf(context).memory),
};

async function buffered(params: Params, context: ConnectionContext, memory: BodyMemory): Promise<Result> {
  const request = prepareRequest(params, context.environment);
  const time = timeFor(params, context);
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
  { streams, window }: HttpState,
): Promise<Result> {
  const { requestId } = params;
  if (streams.has(requestId)) {
    throw badRequest(`streamResponse requestId \`${requestId}\` is already active`);
  }
  const request = prepareRequest(params, context.environment);
  const time = timeFor(params, context);
  streams.add(requestId);
  const end = () => {
    streams.delete(requestId);
    time.dispose();
  };
  try {
    const response = await send(request, time.signal);
    afterAnswer(() => void streamBody(response, requestId, context, window, time.signal).finally(end));
    return { ...head(response), bodyBase64: '' };
  } catch (error) {
    end();
    throw error;
  }
}

function timeFor({ timeoutMs }: Params, context: ConnectionContext): RequestTime {
  if (timeoutMs === 0) {
    throw requestFailed('timed out after 0 ms');
  }
  return new RequestTime(context, timeoutMs ?? undefined);
}

function head(response: IncomingMessage): Pick<Result, 'status' | 'headers'> {
  return { status: response.statusCode ?? 0, headers: responseHeaders(response) };
}
