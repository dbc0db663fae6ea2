import { decodeBase64, type ParamsOf } from '../../../protocol/index.js';
import type { ServerEnvironment } from '../methodHandlers.js';
import { badRequest } from './httpError.js';
import { requestHeaders, type RequestHeaders } from './requestHeaders.js';
import { requestUrl } from './requestUrl.js';

/** A request that has nothing wrong with it. */
export interface PreparedRequest extends RequestHeaders {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  readonly followRedirects: boolean;
}

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** @throws WireError what is wrong with it. */
export function prepareRequest(
  params: ParamsOf<'http/request'>,
  { hostEnvironment }: ServerEnvironment,
): PreparedRequest {
  if (!METHOD.test(params.method)) {
    throw badRequest('method is invalid: invalid HTTP method');
  }
  const url = requestUrl(params.url);
  const { headers, secret } = requestHeaders(params.headers ?? [], hostEnvironment);
  const body = decodeBase64(params.bodyBase64 ?? '');
  return {
    method: params.method,
    url,
    headers: { ...impliedHeaders(url, body, headers), ...headers },
    secret,
    body,
    followRedirects: params.redirectPolicy !== 'stop',
  };
}

/** What the URL and the body say that has no header of its own. */
function impliedHeaders(
  url: URL,
  body: Uint8Array,
  given: RequestHeaders['headers'],
): RequestHeaders['headers'] {
  const user = [url.username, url.password].map(decode).join(':');
  const hasLength = 'content-length' in given || 'transfer-encoding' in given;
  return {
    accept: '*/*',
    ...(user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    ...(body.length > 0 && !hasLength && { 'content-length': String(body.length) }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
