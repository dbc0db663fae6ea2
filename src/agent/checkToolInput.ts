import type * as z from 'zod/mini';

import { toolDefinition } from './definitions.js';
import type { ToolName } from './tool.js';
import { TOOL_LIMITS, type ToolInput, toolSpecs } from './toolSpecs.js';

/** A checked input with warnings for the model, or the error in it. */
export type CheckedInput<N extends ToolName> =
  | { readonly ok: true; readonly input: ToolInput<N>; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** The schemas in a type that connects a name with its input. */
type SchemaOf = { readonly [N in ToolName]: { readonly input: z.ZodMiniType<ToolInput<N>> } };

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** What to do about a value that was too large. */
  readonly ifMore?: string;
}

/** For who wants to wait longer than one call may. */
const CALL_AGAIN = 'The session goes on meanwhile: call again to wait longer.';

/** Bounds that are no reason to refuse a call: a value beyond them is clamped, with a warning. */
const CLAMPED: Readonly<Record<string, Bounds>> = {
  yield_time_ms: { min: 0, max: TOOL_LIMITS.yieldMs.max, ifMore: CALL_AGAIN },
  timeout_ms: { min: 0, max: TOOL_LIMITS.waitMs.max, ifMore: CALL_AGAIN },
  quiet_ms: { min: 1, max: TOOL_LIMITS.waitMs.default },
  max_output_tokens: TOOL_LIMITS.outputTokens,
};

/**
 * Checks an input from a model. An error names the property, the value that it must have, and the value that it had.
 */
export function checkToolInput<N extends ToolName>(name: N, input: unknown): CheckedInput<N> {
  const given = input ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { ok: false, error: `${name} takes an object with properties, not ${shortValue(given)}.` };
  }
  const { clamped, warnings } = clamp(name, given);
  const specs: SchemaOf = toolSpecs;
  const parsed = specs[name].input.safeParse(clamped);
  return parsed.success
    ? { ok: true, input: parsed.data, warnings }
    : { ok: false, error: problem(name, clamped, parsed.error.issues) };
}

function clamp(
  name: ToolName,
  input: object,
): { readonly clamped: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const known = properties(name);
  // Programs that fill in every property send null for those that a model has left out.
  const given = Object.entries(input).filter(([, value]: [string, unknown]) => value !== null);
  const clamped = given.map(([key, value]: [string, unknown]) => {
    const bounds = Object.hasOwn(known, key) && Object.hasOwn(CLAMPED, key) ? CLAMPED[key] : undefined;
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

function problem(
  name: ToolName,
  input: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): string {
  const known = properties(name);
  const texts = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.map((key) => `"${key}"`).join(', ');
      return `${names}: there is no such property. It takes ${Object.keys(known).join(', ')}`;
    }
    const key = String(issue.path[0] ?? '');
    const wanted = describe(known[key]);
    return Object.hasOwn(input, key) && input[key] !== undefined
      ? `"${key}" must be ${wanted}, not ${shortValue(input[key])}`
      : `"${key}" is missing; it must be ${wanted}`;
  });
  return `${name} was not called: ${texts.join('; ')}.`;
}

/** A property of a JSON Schema, as far as the tools use it. */
interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
}

function properties(name: ToolName): Readonly<Record<string, PropertySchema>> {
  const { properties: found } = toolDefinition(name).inputSchema as {
    readonly properties: Readonly<Record<string, PropertySchema>>;
  };
  return found;
}

function describe(schema: PropertySchema | undefined): string {
  if (schema?.enum !== undefined) {
    return `one of ${schema.enum.join(', ')}`;
  }
  switch (schema?.type) {
    case 'integer':
      return schema.maximum === undefined
        ? `a whole number from ${schema.minimum ?? 0}`
        : `a whole number from ${schema.minimum ?? 0} to ${schema.maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list of strings, and not empty';
    case undefined:
    default:
      return describeString(schema);
  }
}

function describeString(schema: PropertySchema | undefined): string {
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
 * A value as JSON. Numbers are written out, because JSON has no infinite ones; of values without JSON the type is
 * given.
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
