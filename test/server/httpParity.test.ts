import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { httpMethods } from '../../src/server/methods/http/index.js';
import { describeOnLinux } from '../support/onLinux.js';
import { startOrigin, type Origin } from './httpOrigin.js';
import { useServer } from './inProcess.js';
import { base64, type RawClient, type RawNotification } from './rawClient.js';
import { plain, useRecording, withoutOwnWords, type Exchange } from './realClient.js';

/** The intended differences of our answer. */
interface Differences {
  /** Ours adds the reason after the real server's text. */
  readonly longer?: true;
  /** Only this beginning of the text is compared, because the rest varies. */
  readonly begins?: string;
  /** A different answer of ours, and the reason. */
  readonly ours?: unknown;
  readonly why?: string;
}

type Case = readonly [params: Readonly<Record<string, unknown>>, differences?: Differences | undefined];

const VARIABLES = { MYVAR: 'val', EMPTY: '', LINES: 'a\nb', OPENAI_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 'k' };
const header = (name: string, value: string, valueEnvVar?: string | null) => ({ name, value, valueEnvVar });
const longer = { longer: true } as const;

/** `U` stands for the server's URL, `R` for that of the server that speaks no proper HTTP. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  'methods and bodies': [
    [{ url: 'U/a' }],
    [{ url: 'U/a', method: 'POST', bodyBase64: base64('hi') }],
    [{ url: 'U/a', method: 'PUT', bodyBase64: base64('hi'), headers: [header('Content-Type', 't/p')] }],
    [{ url: 'U/a', method: 'GET', bodyBase64: base64('hi') }],
    [{ url: 'U/a', method: 'DELETE' }],
    [{ url: 'U/a', method: 'HEAD' }],
    [{ url: 'U/a', method: 'b@d x' }],
    [{ url: 'U/a', method: '' }],
    [{ url: 'U/a', method: 'CONNECT' }, longer],
    [{ url: 'U/a', bodyBase64: '!!' }],
    [{ url: 'U/a', bodyBase64: null }],
  ],
  'headers': [
    [{ url: 'U/a', headers: [header('X-Foo', '1'), header('x-foo', '2'), header('Accept', 'text/x')] }],
    [{ url: 'U/a', headers: [header('User-Agent', 'me'), header('Host', 'other')] }],
    [{ url: 'U/a', headers: [header('x', 'é€'), header('y', ' a\tb '), header('z', '')] }],
    [{ url: 'U/a', headers: [header('bad name', 'x')] }],
    [{ url: 'U/a', headers: [header('', 'x')] }],
    [{ url: 'U/a', headers: [header('x', 'a\nb')] }],
    [{ url: 'U/a', headers: [header('X', 'a\u0001')] }],
    [{ url: 'U/a', headers: [header('X-E', 'Bearer ', 'MYVAR')] }],
    ...['NOPE', 'EMPTY', 'LINES', '', 'a=b', 'OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'openai_api_key'].map(
      (name): Case => [{ url: 'U/a', headers: [header('X-E', 'x', name)] }],
    ),
    [{ url: 'U/a', headers: [header('X-E', 'x', null)] }],
    [{ url: 'U/a', headers: [header('bad name', 'x', 'NOPE')] }],
  ],
  'URLs': [
    [{ url: 'U/a?x=1&y=é#frag' }],
    [{ url: 'http://user:pa%20ss@HOST/a' }],
    ...['ftp://x/y', 'file:///x', 'ws://x', 'data:,x', 'nonsense', '', 'http://', 'http://[bad'].map(
      (url): Case => [{ url }],
    ),
    [{ url: 'http://127.0.0.1:99999/' }],
    ...[
      'http://127.0.0.1:1/',
      'http://127.0.0.1:0/',
      'http://nohost.invalid/',
      'https://HOST/',
      'http://u:p@127.0.0.1:1/',
    ].map((url): Case => [{ url }, longer]),
  ],
  'responses': [
    ...[204, 404, 500].map((status): Case => [{ url: `U/status/${status}` }]),
    [
      { url: 'U/gzip' },
      {
        why: 'The real server unpacks it.',
        ours: {
          result: {
            status: 200,
            headers: [
              { name: 'content-encoding', value: 'gzip' },
              { name: 'transfer-encoding', value: 'chunked' },
            ],
            bodyBase64: gzipSync('hello').toString('base64'),
          },
        },
      },
    ],
    [{ url: 'U/broken' }, longer],
    ...['continue', 'switch', '999', 'long', 'latin'].map((path): Case => [{ url: `R/${path}` }]),
    ...['garbage', 'close'].map((path): Case => [{ url: `R/${path}` }, longer]),
    [
      { url: 'R/utf8' },
      {
        why: 'A header value that is UTF-8 is text; the real server leaves it out.',
        ours: {
          result: {
            status: 200,
            headers: [{ name: 'x-u', value: 'é' }],
            bodyBase64: base64('body'),
          },
        },
      },
    ],
  ],
  'redirects': [
    ...[301, 302, 303, 307, 308].flatMap((status) =>
      ['follow', 'stop', undefined].map((redirectPolicy): Case => [
        {
          url: `U/redirect/${status}`,
          method: 'POST',
          bodyBase64: base64('hi'),
          headers: [header('authorization', 'x'), header('content-type', 't/p')],
          redirectPolicy,
        },
      ]),
    ),
    [{ url: 'U/redirect/302', method: 'HEAD' }],
    [{ url: 'U/loop' }],
    [{ url: 'U/nowhere' }],
    [{ url: 'U/to/ftp%3A%2F%2Fx%2Fy' }],
    [
      {
        url: 'U/to/OTHER',
        headers: [header('authorization', 'x'), header('cookie', 'x'), header('x-api-key', 'x')],
      },
    ],
  ],
  'times': [
    [{ url: 'U/waiting', timeoutMs: 50 }, { begins: 'http/request failed: ' }],
    [{ url: 'U/a', timeoutMs: null }],
    [{ url: 'U/a', timeoutMs: 10_000 }],
  ],
};

const streams: Readonly<Record<string, readonly Case[]>> = Object.fromEntries(
  Object.entries(cases).map(([name, some]) => [
    `${name}, streamed`,
    some.map(([params, differences]): Case => [{ ...params, streamResponse: true }, differences]),
  ]),
);
const all = { ...cases, ...streams };

const recorded = useRecording('http', Object.keys(all), ({ client }, name) => play(client, name), {
  env: VARIABLES,
});

describeOnLinux('Our http/request and that of the real server', () => {
  const ours = useServer({ methods: httpMethods, hostEnv: VARIABLES });
  for (const [name, some] of Object.entries(all)) {
    it(`${name}, ${some.length} cases`, async () => {
      const theirs = recorded(name);
      const answers = await play(await ours.client(), name);
      for (const [index, [request, actual]] of answers.map(plain).entries()) {
        const [expectedRequest, expected] = theirs[index] ?? [];
        assert.equal(request, expectedRequest);
        check(actual as Outcome, withoutPacking(expected), some[index]?.[1] ?? {}, request);
      }
    });
  }
});

interface Outcome {
  readonly answer: unknown;
  readonly body: string;
  readonly end: unknown;
  readonly seen: unknown;
}

/** The answer of the real server without the header of its request that asks for packed answers. Ours sends none. */
function withoutPacking(outcome: unknown): Outcome {
  return JSON.parse(JSON.stringify(outcome).replaceAll('["accept-encoding","zstd,gzip"],', '')) as Outcome;
}

function check(actual: Outcome, expected: Outcome, { longer: more, ours }: Differences, label: string): void {
  if (typeof expected === 'string') {
    assert.equal(actual, expected);
    return;
  }
  assert.deepEqual(actual.seen, expected.seen, label);
  if (ours !== undefined) {
    const { result } = actual.answer as { result: object };
    const body =
      actual.body === '' ? {} : { bodyBase64: Buffer.from(actual.body, 'latin1').toString('base64') };
    assert.deepEqual({ result: { ...result, ...body } }, ours, label);
  } else if (more === true) {
    assertLonger(actual.answer, expected.answer, label);
    assertLonger(actual.end, expected.end, label);
  } else {
    assert.deepEqual(actual, expected, label);
  }
}

/** Asserts equality, except that the actual text may be longer. */
function assertLonger(actual: unknown, expected: unknown, label: string): void {
  const [one, other] = [JSON.stringify(actual ?? null), JSON.stringify(expected ?? null)];
  const text = /"(?:message|error)":"([^"]*)"/.exec(other)?.[1] ?? '';
  assert.ok(one.includes(text), `${label}: ${one} does not say ${text}`);
  const strip = (json: string) => json.replace(/("(?:message|error)":")[^"]*"/, '$1"');
  assert.equal(strip(one), strip(other), label);
}

async function play(client: RawClient, name: string): Promise<readonly Exchange[]> {
  const origin = await startOrigin();
  try {
    const exchanges: Exchange[] = [];
    for (const [index, [params, { begins } = {}]] of (all[name] ?? []).entries()) {
      const whole = { method: 'GET', requestId: `${name} ${index}`, ...params };
      const outcome = JSON.stringify(await ask(client, origin, whole))
        .replaceAll(origin.url, 'U')
        .replaceAll(new URL(origin.url).host, 'HOST')
        .replaceAll(encodeURIComponent(origin.otherUrl), 'OTHER')
        .replaceAll(new URL(origin.otherUrl).host, 'OTHERHOST')
        .replaceAll(new URL(origin.rawUrl).host, 'RAWHOST');
      const beginning = begins !== undefined && outcome.includes(`"message":"${begins}`) ? begins : undefined;
      exchanges.push([JSON.stringify(params), beginning ?? JSON.parse(outcome)]);
    }
    return exchanges;
  } finally {
    await origin.stop();
  }
}

async function ask(
  client: RawClient,
  origin: Origin,
  params: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  origin.seen.splice(0);
  const { host } = new URL(origin.url);
  const text = JSON.stringify(params)
    .replace('"U/', `"${origin.url}/`)
    .replace('"R/', `"${origin.rawUrl}/`)
    .replace('HOST', host)
    .replace('OTHER', encodeURIComponent(`${origin.otherUrl}/final`));
  const { result, error } = await client.ask('http/request', JSON.parse(text));
  const deltas =
    result === undefined || params['streamResponse'] !== true
      ? []
      : await deltasOf(client, params['requestId']);
  assert.deepEqual(
    deltas.map(({ params: { seq } }) => seq),
    deltas.map((_, index) => index + 1),
  );
  const end = deltas.at(-1)?.params;
  return {
    answer: withoutConnection({ result, error: error && withoutOwnWords(error) }),
    body: deltas
      .map(({ params: delta }) => Buffer.from(String(delta['deltaBase64']), 'base64').toString('latin1'))
      .join(''),
    end: end && { ...end, seq: 0 },
    seen: origin.seen.map((seen) => ({ ...seen, headers: comparable(seen.headers) })),
  };
}

async function deltasOf(client: RawClient, requestId: unknown): Promise<RawNotification[]> {
  const isOurs = (message: object): message is RawNotification =>
    'method' in message && (message as RawNotification).params['requestId'] === requestId;
  await client.until((message) => isOurs(message) && message.params['done'] === true);
  return client.heard.filter(isOurs);
}

/** Headers that depend on how a server uses its connections, which is its own business, and `referer`. */
const OWN_BUSINESS = ['connection', 'keep-alive', 'referer'];

function comparable(headers: Seen): Seen {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !OWN_BUSINESS.includes(name) && !(name === 'content-length' && value === '0'))
    .sort(([one], [other]) => one.localeCompare(other));
}

type Seen = readonly (readonly [string, string])[];

function withoutConnection(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
    name === 'headers' && Array.isArray(value)
      ? value.filter((entry: { name: string }) => !OWN_BUSINESS.includes(entry.name))
      : value,
  ) as unknown;
}
