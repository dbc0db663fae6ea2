import type http from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';

/** Node's type promises both only for requests of a client, but a request to a server always has them. */
export type ServerRequest = http.IncomingMessage & { readonly method: string; readonly url: string };

export interface AnswerOptions {
  /** In bytes. */
  readonly maxRequestBodySize: number;
  readonly onerror: (error: Error) => void;
}

/**
 * Answers a request of Node's server with the response of `answer`. A stream begins when its client is let in, and ends
 * with its connection. The SDK would notice either only at the next message on it, perhaps many seconds later.
 */
export async function answerHttp(
  request: ServerRequest,
  response: http.ServerResponse,
  answer: (request: Request) => Promise<Response>,
  options: AnswerOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const fetch = async (asked: Request): Promise<Response> => {
    const answered = await answer(asked);
    // The SDK writes the headers now, but Node holds them back until more data follows.
    setImmediate(() => {
      if (response.headersSent && !response.writableEnded) {
        response.flushHeaders();
      }
    });
    return endedBy(gone.signal, answered);
  };
  await toNodeHandler({ fetch }, options)(request, response);
}

function endedBy(signal: AbortSignal, { body, status, headers }: Response): Response {
  return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, { status, headers });
}
