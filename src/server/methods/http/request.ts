import type { HostVariables } from '../../../core/index.js';
import { decodeBase64, type ParamsOf } from '../../../protocol/index.js';
import type { ServerEnvironment } from '../methodHandlers.js';
import { badRequest } from './httpError.js';

type Asked = NonNullable<ParamsOf<'http/request'>['headers']>[number];

export interface RequestHeaders {
  /** The values of each header in their order, by its name in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The names of the headers whose value is a secret of this machine. */
  readonly secret: ReadonlySet<string>;
}

/** A request whose parameters have been checked. */
export interface PreparedRequest extends RequestHeaders {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  readonly followRedirects: boolean;
}

/** A name in HTTP, of a method or of a header. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** @throws WireError if the parameters are wrong. */
export function prepareRequest(
  params: ParamsOf<'http/request'>,
  { hostEnv }: ServerEnvironment,
): PreparedRequest {
  if (!TOKEN.test(params.method)) {
    throw badRequest('method is invalid: it has to be a name of HTTP');
  }
  const url = requestUrl(params.url);
  const { headers, secret } = requestHeaders(params.headers ?? [], hostEnv);
  const body = decodeBase64(params.bodyBase64 ?? '', 'bodyBase64');
  return {
    method: params.method,
    url,
    headers: { ...impliedHeaders(url, body, headers), ...headers },
    secret,
    body,
    followRedirects: params.redirectPolicy !== 'stop',
  };
}

/** The headers that follow from the URL and the body. Given headers of the same name take precedence. */
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

/** @throws WireError if the text is no HTTP URL. */
function requestUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw badRequest('url is invalid: it has to be a URL with http or https');
  }
  return url;
}

/** The URL for use in errors, without the user name and the password. */
export function withoutCredentials(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/**
 * Variables that are never sent anywhere. They are the credentials of the server and of the program that runs it, not
 * those of its clients. The real server protects the same ones.
 */
const PROTECTED: ReadonlySet<string> = new Set([
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CODEX_ACCESS_TOKEN',
  'CODEX_API_KEY',
  'CODEX_CONNECTORS_TOKEN',
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
  'OPENAI_API_KEY',
]);

/** All control characters except the tab, which alone may be in a value. */
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** @throws WireError if a header cannot be sent. */
function requestHeaders(asked: readonly Asked[], env: HostVariables): RequestHeaders {
  const given = new Map<string, string[]>();
  const secret = new Set<string>();
  for (const header of asked) {
    if (!TOKEN.test(header.name)) {
      throw badRequest('header name is invalid: it has to be a name of HTTP');
    }
    const name = header.name.toLowerCase();
    const values = given.get(name) ?? [];
    values.push(valueOf(header, env));
    given.set(name, values);
    if (header.valueEnvVar !== undefined && header.valueEnvVar !== null) {
      secret.add(name);
    }
  }
  // A single value is no list: Node refuses a list for headers that may occur only once.
  const headers = [...given].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]);
  return { headers: Object.fromEntries(headers) as RequestHeaders['headers'], secret };
}

function valueOf({ name, value, valueEnvVar }: Asked, env: HostVariables): string {
  const whole = value + (typeof valueEnvVar === 'string' ? variable(name, valueEnvVar, env) : '');
  if (CONTROL.test(whole)) {
    throw badRequest(`header value is invalid for ${name}: it has a control character`);
  }
  // Node sends the low byte of each character, so the text carries the UTF-8 bytes as characters.
  return Buffer.from(whole).toString('latin1');
}

function variable(header: string, name: string, env: HostVariables): string {
  if (PROTECTED.has(name.toUpperCase())) {
    throw badRequest(`header ${header} cannot use executor environment variable ${name}`);
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value === undefined) {
    throw badRequest(`header ${header} requires executor environment variable ${name}`);
  }
  if (value === '') {
    throw badRequest(`header ${header} requires a non-empty executor environment variable ${name}`);
  }
  return value;
}
