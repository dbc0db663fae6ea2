/** The beginning of a connection as it was spoken, for the SDK when it takes over. */
export type InitializeRequest = Readonly<Record<string, unknown>> & {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: 'initialize';
  readonly params: { readonly protocolVersion: string };
};

/** A message whose meaning is certain. For `other`, the SDK has to look at it. */
export type OpeningMessage =
  | { readonly kind: 'initialize'; readonly request: InitializeRequest }
  | { readonly kind: 'initialized' }
  | { readonly kind: 'ping' | 'list'; readonly id: RequestId }
  | { readonly kind: 'other' };

export type RequestId = string | number;

type Fields = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const OTHER: OpeningMessage = { kind: 'other' };
/** The deepest JSON with which a client describes itself. */
const DEEPEST = 8;

/**
 * Recognizes the messages with which clients begin, in the forms that the SDK accepts without complaint. Everything
 * unknown here, even if harmless, is `other`.
 */
export function openingMessage(line: string): OpeningMessage {
  const message = parsed(line);
  if (!isFields(message) || message['jsonrpc'] !== '2.0') {
    return OTHER;
  }
  const { id, method, params } = message;
  if (method === 'notifications/initialized') {
    return has(message, { jsonrpc: any, method: any }, { params: isEmpty }) ? { kind: 'initialized' } : OTHER;
  }
  if (!isId(id) || !has(message, { jsonrpc: any, id: any, method: any }, { params: any })) {
    return OTHER;
  }
  switch (method) {
    case 'initialize':
      return isInitialize(params) ? { kind: 'initialize', request: message as InitializeRequest } : OTHER;
    case 'ping':
      return isQuiet(params) ? { kind: 'ping', id } : OTHER;
    case 'tools/list':
      return isQuiet(params) ? { kind: 'list', id } : OTHER;
    default:
      return OTHER;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const any: Test = () => true;
const isText: Test = (value) => typeof value === 'string';
const isFlag: Test = (value) => typeof value === 'boolean';
const isEmpty: Test = (value) => isFields(value) && Object.keys(value).length === 0;
const isId = (value: unknown): value is RequestId => isText(value) || Number.isSafeInteger(value);
/** An object of JSON with any content. */
const isShallow: Test = (value) => isFields(value) && depth(value) <= DEEPEST;
const isTable: Test = (value) => isShallow(value) && Object.values(value as Fields).every(isFields);

/** Parameters that change nothing: no parameters, or the token for progress that never happens. */
const isQuiet: Test = (params) =>
  params === undefined || has(params, {}, { _meta: (meta) => has(meta, {}, { progressToken: isId }) });

const isClient: Test = (client) =>
  has(client, { name: isText, version: isText }, { title: isText, websiteUrl: isText, description: isText });

const isCapable: Test = (capabilities) =>
  has(
    capabilities,
    {},
    {
      roots: (roots) => has(roots, {}, { listChanged: isFlag }),
      sampling: (sampling) => has(sampling, {}, { context: isEmpty, tools: isEmpty }),
      elicitation: (elicitation) => has(elicitation, {}, { form: isEmpty, url: isEmpty }),
      experimental: isTable,
      extensions: isTable,
    },
  );

const isInitialize: Test = (params) =>
  has(params, { protocolVersion: isText, capabilities: isCapable, clientInfo: isClient });

/** Whether a value is an object with all of `must`, perhaps some of `may`, and nothing else. */
function has(
  value: unknown,
  must: Readonly<Record<string, Test>>,
  may: Readonly<Record<string, Test>> = {},
): boolean {
  if (!isFields(value)) {
    return false;
  }
  const tests = new Map(Object.entries({ ...must, ...may }));
  return (
    Object.keys(must).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, field]) => tests.get(key)?.(field) === true)
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depth(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depth))
    : 0;
}
