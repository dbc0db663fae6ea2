import { toolDefinition } from '../definitions.js';
import { HARMLESS, INPUT_ALIASES } from './inputAliases.js';
import type { ToolName } from '../tool.js';

/** An input in the words and types of its tool, as far as it can be put into them. Its values are not checked. */
interface PlainInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** The notes for the model about what was changed. */
  readonly notes: readonly string[];
  /** Properties that contradict each other. */
  readonly problems: readonly string[];
}

/**
 * The part of a property's schema that says what its values are. The first of several types is the one that is meant.
 */
interface PropertySchema {
  readonly type?: string;
  readonly anyOf?: readonly PropertySchema[];
  readonly items?: PropertySchema;
}

/** The properties of a tool, as models are told them. */
export function inputProperties(name: ToolName): Readonly<Record<string, PropertySchema>> {
  const { properties } = toolDefinition(name).inputSchema as {
    readonly properties: Readonly<Record<string, PropertySchema>>;
  };
  return properties;
}

/**
 * Puts the input from a model into the words and types of the tool. Models send other names for the same thing, numbers
 * as text, and the like. Clients do not check types, or check them by the schema that they get, which allows all of
 * this. People are shown the result.
 */
export function plainInput(name: ToolName, given: object): PlainInput {
  const known = inputProperties(name);
  const aliases = INPUT_ALIASES[name];
  const values = new Map<string, unknown>();
  const notes: string[] = [];
  const problems: string[] = [];
  const ignored: string[] = [];
  const isKnown = (key: string) => Object.hasOwn(known, key);
  const put = (property: string, key: string, value: unknown) => {
    const plain = plainValue(property, known[property], value);
    if (plain === undefined) {
      return;
    }
    if (values.has(property) && JSON.stringify(values.get(property)) !== JSON.stringify(plain)) {
      problems.push(`"${key}" says the same as "${property}", which has another value`);
      return;
    }
    values.set(property, plain);
    if (property === 'yield_time_ms' && key !== property) {
      notes.push(`${key} was taken as ${property}, which ends the wait and not the command.`);
    }
  };
  // Programs that fill in every property send null for those that a model has left out.
  const entries = Object.entries(given).filter(([, value]: [string, unknown]) => value !== null);
  // Properties by their own names come first, so that a problem names the other one.
  entries.sort(([one], [other]) => Number(isKnown(other)) - Number(isKnown(one)));
  for (const [key, value] of entries as [string, unknown][]) {
    const property = isKnown(key) ? key : Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    if (property !== undefined) {
      put(property === 'cmd' && Array.isArray(value) ? 'argv' : property, key, value);
    } else if (HARMLESS.has(key) || asksForNothing(value)) {
      ignored.push(`"${key}"`);
    } else {
      values.set(key, value);
    }
  }
  if (ignored.length > 0) {
    notes.push(`${name} has no ${ignored.join(', ')}; it takes ${Object.keys(known).join(', ')}.`);
  }
  return { input: Object.fromEntries(values), notes, problems };
}

/** Whether the value of an unknown property means that it is switched off or empty. */
function asksForNothing(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Properties whose empty text or list means that they are absent: models that fill in every property send one. */
const EMPTY_IS_NONE: ReadonlySet<string> = new Set([
  'cmd',
  'argv',
  'workdir',
  'environment',
  'title',
  'cursor',
  'from',
]);

/**
 * A value in the type of its property; undefined if it means an absent one. A value that cannot be converted stays as
 * it is.
 */
function plainValue(property: string, schema: PropertySchema | undefined, value: unknown): unknown {
  const empty = value === '' || (Array.isArray(value) && value.length === 0);
  if (empty && EMPTY_IS_NONE.has(property)) {
    return undefined;
  }
  switch (property) {
    case 'session':
      return toNumber(typeof value === 'string' ? value.replace(/^\s*(?:session\s*)?#?/i, '') : value);
    case 'signal':
      return toSignal(value);
    case 'cursor':
    case 'from':
      return typeof value === 'string'
        ? value.replace(/^\s*(?:cursor:?\s*)?["']?|["']?\s*$/gi, '')
        : toText(value);
    case 'mode':
      return typeof value === 'string' ? value.toLowerCase() : value;
    case 'argv':
      // A text may be one argument or a whole command line, so it is not made a list.
      return toList(value, schema);
    case 'env':
      return toVariables(value);
    case 'sandbox':
      return toBoolean(typeof value === 'string' ? fromJson(value) : value);
    default:
      return toType(schema, value);
  }
}

function meant(schema: PropertySchema | undefined): PropertySchema | undefined {
  return schema?.anyOf?.[0] ?? schema;
}

function toType(given: PropertySchema | undefined, value: unknown): unknown {
  const schema = meant(given);
  switch (schema?.type) {
    case 'integer':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
    case 'string':
      return toText(value);
    case 'array': {
      const list = toList(value, schema);
      return Array.isArray(list) ? list : [toType(schema.items, list)];
    }
    case undefined:
    default:
      return value;
  }
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[-+]?\d+(?:\.\d+)?(?:e\d+)?\s*$/i.test(value)
    ? Number(value)
    : value;
}

function toBoolean(value: unknown): unknown {
  switch (typeof value === 'string' ? value.trim().toLowerCase() : value) {
    case 'true':
    case '1':
    case 1:
      return true;
    case 'false':
    case '0':
    case 0:
      return false;
    default:
      return value;
  }
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function toList(value: unknown, schema: PropertySchema | undefined): unknown {
  const list = typeof value === 'string' ? fromJson(value) : value;
  return Array.isArray(list) ? list.map((item: unknown) => toType(schema?.items, item)) : value;
}

/** An object of texts, which models also send as JSON. */
function toVariables(value: unknown): unknown {
  const given = typeof value === 'string' ? fromJson(value) : value;
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).map(([name, each]: [string, unknown]) => [name, toText(each)]))
    : value;
}

/** The list or object that a text is the JSON of; any other text as it is. */
function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) {
    return text;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The signals that have the same number on every POSIX machine. */
const SIGNAL_NUMBERS: Readonly<Record<string, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  9: 'SIGKILL',
  15: 'SIGTERM',
};

function toSignal(value: unknown): unknown {
  const text = toText(value);
  if (typeof text !== 'string') {
    return value;
  }
  const name = text.trim().toUpperCase();
  return (
    SIGNAL_NUMBERS[name] ?? (name.startsWith('SIG') ? name : /^[A-Z]+\d?$/.test(name) ? `SIG${name}` : value)
  );
}
