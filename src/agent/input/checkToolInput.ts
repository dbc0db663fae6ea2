import * as z from 'zod/mini';

import { inputProperties, plainInput } from './plainInput.js';
import type { ToolName } from '../tool.js';
import { TOOL_LIMITS, type ToolInput, toolSpecs } from './toolSpecs.js';

/** A checked input with warnings for the model, or the error in it. */
type CheckedInput<N extends ToolName> =
  | { readonly ok: true; readonly input: ToolInput<N>; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** The schemas in a type that connects a name with its input. */
type SchemaOf = { readonly [N in ToolName]: { readonly input: z.ZodMiniType<ToolInput<N>> } };

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** The advice for a value that was too large. */
  readonly ifMore?: string;
}

/** The advice for a caller that wants to wait longer than one call may. */
const CALL_AGAIN = 'The session goes on meanwhile: call again to wait longer.';

/** Bounds that are no reason to refuse a call: a value beyond them is clamped, with a warning. */
const CLAMPED: Readonly<Record<string, Bounds>> = {
  yield_time_ms: { min: 0, max: TOOL_LIMITS.yieldMs.max, ifMore: CALL_AGAIN },
  timeout_ms: { min: 0, max: TOOL_LIMITS.waitMs.max, ifMore: CALL_AGAIN },
  quiet_ms: { min: 1, max: TOOL_LIMITS.waitMs.default },
  max_output_tokens: TOOL_LIMITS.outputTokens,
};

/** The longest time-out that may have been meant in seconds. */
const DOUBTFUL_MS = 99;

/**
 * Checks an input from a model. An error names the property, the value that it must have, and the value that it had.
 */
export function checkToolInput<N extends ToolName>(name: N, input: unknown): CheckedInput<N> {
  const given = input ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { ok: false, error: `${name} takes an object with properties, not ${shortValue(given)}.` };
  }
  const plain = plainInput(name, given);
  const { clamped, warnings } = clamp(plain.input);
  const specs: SchemaOf = toolSpecs;
  const parsed = specs[name].input.safeParse(clamped);
  if (parsed.success && plain.problems.length === 0) {
    return { ok: true, input: parsed.data, warnings: [...plain.notes, ...warnings, ...doubts(plain.input)] };
  }
  const wrong = parsed.success ? [] : problems(name, clamped, parsed.error.issues);
  return { ok: false, error: `${name} was not called: ${[...plain.problems, ...wrong].join('; ')}.` };
}

function clamp(input: Readonly<Record<string, unknown>>): {
  readonly clamped: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const clamped = Object.entries(input).map(([key, value]) => {
    const bounds = Object.hasOwn(CLAMPED, key) ? CLAMPED[key] : undefined;
    if (bounds === undefined || typeof value !== 'number' || Number.isNaN(value)) {
      return [key, value] as const;
    }
    const inside = Math.min(Math.max(value, bounds.min), bounds.max);
    if (inside !== value) {
      const side = value > inside ? 'exceeds the maximum' : 'is below the minimum';
      const advice = value > inside && bounds.ifMore !== undefined ? ` ${bounds.ifMore}` : '';
      warnings.push(`requested ${key} ${value} ${side} of ${inside}; clamping to ${inside}.${advice}`);
    }
    return [key, inside] as const;
  });
  return { clamped: Object.fromEntries(clamped), warnings };
}

/** The warning about a time-out that was probably meant in seconds: no caller waits for a line for 30 ms. */
function doubts({ timeout_ms: ms }: Readonly<Record<string, unknown>>): readonly string[] {
  return typeof ms === 'number' && ms > 0 && ms <= DOUBTFUL_MS
    ? [`timeout_ms is in milliseconds: ${ms} is ${ms / 1_000} s.`]
    : [];
}

function problems(
  name: ToolName,
  input: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): readonly string[] {
  const strict = strictProperties(name);
  return issues.map((issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      const names = issue.keys.map((key) => `"${key}"`).join(', ');
      return `${names}: there is no such property. It takes ${Object.keys(inputProperties(name)).join(', ')}`;
    }
    const key = String(issue.path[0] ?? '');
    const wanted = describe(strict[key]);
    return Object.hasOwn(input, key) && input[key] !== undefined
      ? `"${key}" must be ${wanted}, not ${shortValue(input[key])}`
      : `"${key}" is missing; it must be ${wanted}`;
  });
}

/** A property of a strict JSON Schema, as far as the tools use it. */
interface StrictProperty {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: StrictProperty;
  readonly pattern?: string;
  readonly anyOf?: readonly StrictProperty[];
}

/** The properties with their bounds, which the schemas that clients get leave out. */
function strictProperties(name: ToolName): Readonly<Record<string, StrictProperty>> {
  const { properties } = z.toJSONSchema(toolSpecs[name].input, { io: 'input' });
  return (properties ?? {}) as Readonly<Record<string, StrictProperty>>;
}

function describe(schema: StrictProperty | undefined): string {
  if (schema?.enum !== undefined) {
    return `one of ${schema.enum.join(', ')}`;
  }
  if (schema?.anyOf !== undefined) {
    return 'true, or an object with "write", a list of directories, and "network", true or false';
  }
  switch (schema?.type) {
    case 'integer':
      // An integer without a bound is one that JavaScript can count with, which no model needs to read.
      return schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${schema.minimum ?? 0}`
        : `a whole number from ${schema.minimum ?? 0} to ${schema.maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of ${schema.items?.type === 'integer' ? 'numbers' : 'strings'}, and not empty`;
    case 'object':
      return 'an object of strings, or null for those to take away';
    case undefined:
    default:
      return describeString(schema);
  }
}

function describeString(schema: StrictProperty | undefined): string {
  if (schema?.pattern !== undefined) {
    return 'a cursor out of an earlier answer, such as "0" or "17+5"';
  }
  if (schema?.maxLength !== undefined) {
    return `a string of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
  }
  return (schema?.minLength ?? 0) > 0 ? 'a string that is not empty' : 'a string';
}

/** A value as the model sent it, shortened. */
function shortValue(value: unknown): string {
  const text = asText(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * A value as JSON. Numbers are written out, because JSON has no infinite ones; a value without JSON is given as its
 * type.
 */
function asText(value: unknown): string {
  if (typeof value === 'number') {
    return String(value);
  }
  try {
    return value === undefined || typeof value === 'function' ? typeof value : JSON.stringify(value);
  } catch {
    return typeof value;
  }
}
