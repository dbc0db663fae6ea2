import * as z from 'zod/mini';

import { isObject, typeName } from './clientMessage.js';
import { requests, usize, type ParamsOf, type RequestName } from './methods.js';
import { structOf } from './structs.js';
import { WireCode, WireError } from './errors.js';

/**
 * Reads the parameters of a request: an object, or its members in an array; nothing for a method that takes nothing.
 *
 * @throws WireError what the real server says of the first fault.
 */
export function decodeParams<M extends RequestName>(method: M, params: unknown): ParamsOf<M> {
  const schemas: { readonly [N in RequestName]: { readonly params: z.core.$ZodType<ParamsOf<N>> } } =
    requests;
  const schema = schemas[method].params;
  const members = membersOf(schema, params);
  const read = z.safeParse(schema, members);
  if (!read.success) {
    throw invalid(describeFault(schema, members) ?? 'invalid value');
  }
  return read.data;
}

function invalid(message: string): WireError {
  return new WireError(WireCode.invalidParams, message);
}

function membersOf(schema: z.core.$ZodType, params: unknown): unknown {
  if (!(schema instanceof z.ZodMiniObject)) {
    return params;
  }
  const shape: z.core.$ZodShape = schema._zod.def.shape;
  if (Object.keys(shape).length > 0) {
    return Array.isArray(params) ? byPosition(schema, shape, params) : params;
  }
  if (params !== undefined && params !== null && !(isObject(params) && Object.keys(params).length === 0)) {
    throw invalid(`invalid type: ${typeName(params)}, expected unit`);
  }
  return {};
}

/** The members of an object that were sent as an array. */
function byPosition(schema: z.core.$ZodType, shape: z.core.$ZodShape, values: readonly unknown[]): unknown {
  const { name, fields = Object.keys(shape) } = structOf(schema);
  const members: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    const member = shape[field];
    if (index < values.length) {
      members[field] = values[index];
      const fault = member === undefined ? undefined : describeFault(member, values[index]);
      if (fault !== undefined) {
        throw invalid(fault);
      }
    } else if (!(member instanceof z.ZodMiniOptional)) {
      const elements = `${fields.length} element${fields.length === 1 ? '' : 's'}`;
      throw invalid(`invalid length ${values.length}, expected struct ${name} with ${elements}`);
    }
  }
  if (values.length > fields.length) {
    throw invalid(`invalid length ${values.length}, expected fewer elements in array`);
  }
  return members;
}

/** What is wrong with a value, if something is. Members are looked at in the order in which they were sent. */
function describeFault(schema: z.core.$ZodType, value: unknown): string | undefined {
  if (schema instanceof z.ZodMiniOptional) {
    return value === undefined ? undefined : describeFault(schema._zod.def.innerType, value);
  }
  if (schema instanceof z.ZodMiniNullable) {
    return value === null ? undefined : describeFault(schema._zod.def.innerType, value);
  }
  if (schema instanceof z.ZodMiniObject) {
    return describeObjectFault(schema, schema._zod.def.shape, value);
  }
  if (schema instanceof z.ZodMiniArray) {
    const { element } = schema._zod.def;
    return Array.isArray(value) ? firstFault(element, value) : unexpected(value, 'a sequence');
  }
  if (schema instanceof z.ZodMiniRecord) {
    const { valueType } = schema._zod.def;
    return isObject(value) ? firstFault(valueType, Object.values(value)) : unexpected(value, 'a map');
  }
  if (schema instanceof z.ZodMiniEnum) {
    return describeVariantFault(Object.keys(schema._zod.def.entries), value);
  }
  return z.safeParse(schema, value).success ? undefined : describeScalarFault(schema, value);
}

function firstFault(schema: z.core.$ZodType, values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const fault = describeFault(schema, value);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

function describeObjectFault(
  schema: z.core.$ZodType,
  shape: z.core.$ZodShape,
  value: unknown,
): string | undefined {
  if (!isObject(value)) {
    return unexpected(value, `struct ${structOf(schema).name}`);
  }
  for (const [name, sent] of Object.entries(value)) {
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const fault = member === undefined ? undefined : describeFault(member, sent);
    if (fault !== undefined) {
      return fault;
    }
  }
  const missing = Object.entries(shape).find(
    ([name, member]) => !Object.hasOwn(value, name) && !(member instanceof z.ZodMiniOptional),
  );
  return missing === undefined ? undefined : `missing field \`${missing[0]}\``;
}

function describeVariantFault(variants: readonly string[], value: unknown): string | undefined {
  if (isObject(value)) {
    const [name, ...others] = Object.keys(value);
    if (name === undefined || others.length > 0) {
      return 'invalid value: map, expected map with a single key';
    }
    return describeVariantFault(variants, name) ?? unexpected(value, 'string or map');
  }
  if (typeof value !== 'string') {
    return unexpected(value, 'string or map');
  }
  if (variants.includes(value)) {
    return undefined;
  }
  const names = variants.map((variant) => `\`${variant}\``);
  const expected = names.length > 2 ? `one of ${names.join(', ')}` : names.join(' or ');
  return `unknown variant \`${value}\`, expected ${expected}`;
}

function describeScalarFault(schema: z.core.$ZodType, value: unknown): string {
  if (schema instanceof z.ZodMiniString) {
    return unexpected(value, 'a string');
  }
  if (schema instanceof z.ZodMiniBoolean) {
    return unexpected(value, 'a boolean');
  }
  return typeof value === 'number' ? 'invalid number' : unexpected(value, schema === usize ? 'usize' : 'u64');
}

function unexpected(value: unknown, expected: string): string {
  return `invalid type: ${typeName(value)}, expected ${expected}`;
}
