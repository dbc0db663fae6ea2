import type { ParamsOf } from '../../../protocol/index.js';
import { badRequest } from './httpError.js';

type Asked = NonNullable<ParamsOf<'http/request'>['headers']>[number];
type Environment = Readonly<Record<string, string | undefined>>;

export interface RequestHeaders {
  /** In lower case, with all values in their order. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Those whose value is a secret of this machine. */
  readonly secret: readonly string[];
}

/**
 * Variables that are never sent anywhere: they are the credentials of the server itself and of what it is run for, and
 * not for the one who asks. The real server has the same.
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

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Control characters, of which only the tab may be in a value. */
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** @throws WireError in the real server's words, if one of them cannot be sent. */
export function requestHeaders(asked: readonly Asked[], environment: Environment): RequestHeaders {
  const given = new Map<string, string[]>();
  const secret: string[] = [];
  for (const header of asked) {
    if (!TOKEN.test(header.name)) {
      throw badRequest('header name is invalid: invalid HTTP header name');
    }
    const name = header.name.toLowerCase();
    given.set(name, [...(given.get(name) ?? []), valueOf(header, environment)]);
    if (header.valueEnvVar !== undefined && header.valueEnvVar !== null) {
      secret.push(name);
    }
  }
  // Node takes a list for a fault where there may be only one.
  const headers = [...given].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]);
  return { headers: Object.fromEntries(headers) as RequestHeaders['headers'], secret };
}

function valueOf({ name, value, valueEnvVar }: Asked, environment: Environment): string {
  const whole = value + (typeof valueEnvVar === 'string' ? variable(name, valueEnvVar, environment) : '');
  if (CONTROL.test(whole)) {
    throw badRequest(`header value is invalid for ${name}: failed to parse header value`);
  }
  // Node sends a byte for each character.
  return Buffer.from(whole).toString('latin1');
}

function variable(header: string, name: string, environment: Environment): string {
  if (PROTECTED.has(name.toUpperCase())) {
    throw badRequest(`header ${header} cannot use executor environment variable ${name}`);
  }
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (value === undefined) {
    throw badRequest(`header ${header} requires executor environment variable ${name}`);
  }
  if (value === '') {
    throw badRequest(`header ${header} requires a non-empty executor environment variable ${name}`);
  }
  return value;
}
