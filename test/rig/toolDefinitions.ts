import * as z from 'zod/mini';

import type { ToolDefinition, ToolName } from '../../src/agent/tool.js';
import { toolSpecs } from '../../src/agent/input/toolSpecs.js';

/** The tools of `src/agent/input/toolSpecs.ts` as plain data, their inputs as JSON Schemas. */
export function makeToolDefinitions(): readonly ToolDefinition[] {
  return Object.entries(toolSpecs).map(([name, { title, description, readOnly, input }]) => ({
    name: name as ToolName,
    title,
    description,
    readOnly,
    inputSchema: schemaOf(input),
  }));
}

/**
 * An input for clients. Some clients refuse by the schema calls that we would take or explain better. So nothing is
 * required: models have other names for a property as well, and the description says which ones have to be there.
 */
function schemaOf(input: z.ZodMiniType): ToolDefinition['inputSchema'] {
  const { type, properties = {} } = z.toJSONSchema(input, { io: 'input' });
  const lax = Object.entries(properties).map(([key, property]) => [key, laxSchema(key, property)] as const);
  // Through JSON, which leaves out what is undefined.
  return JSON.parse(
    JSON.stringify({ type, properties: Object.fromEntries(lax) }),
  ) as ToolDefinition['inputSchema'];
}

/**
 * A property without bounds, which are in the description. The description comes last, since people read the schemas as
 * well, in package.json.
 *
 * Each has one type, except where models often send another one. Two types are an `anyOf`. Given as a list
 * (`"type": [...]`), Gemini refuses every request through interfaces like that of OpenAI, and so in VS Code's chat. For
 * such models a list needs `items`, and an object `properties`; without any type, Gemini CLI has left out whole tools.
 */
function laxSchema(key: string, property: unknown): unknown {
  const { anyOf, description } = property as Readonly<Record<string, unknown>>;
  const { type, items } = (Array.isArray(anyOf) ? anyOf[0] : property) as Readonly<Record<string, unknown>>;
  const meant = {
    type,
    ...(items !== undefined && { items: laxSchema('', items) }),
    ...(type === 'object' && { properties: {} }),
  };
  const other = SENT_AS[key] ?? SENT_AS[String(type)];
  return { ...(other === undefined ? meant : { anyOf: [meant, { type: other }] }), description };
}

/** The type that models often send instead, for a property, or for all of a type: `"3"`, `"true"`, `cursor: 3`. */
const SENT_AS: Readonly<Record<string, string | undefined>> = {
  integer: 'string',
  boolean: 'string',
  cursor: 'integer',
  from: 'integer',
  signal: 'integer',
  keys: 'string',
  sandbox: 'boolean',
};
