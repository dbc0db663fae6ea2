import * as z from 'zod/mini';

import type { ToolDefinition, ToolName } from '../../src/agent/tool.js';
import { toolSpecs } from '../../src/agent/toolSpecs.js';

/** The tools of `src/agent/toolSpecs.ts` as plain data, their inputs as JSON Schemas. */
export function makeToolDefinitions(): readonly ToolDefinition[] {
  return Object.entries(toolSpecs).map(([name, { title, description, readOnly, input }]) => ({
    name: name as ToolName,
    title,
    description,
    readOnly,
    inputSchema: schemaOf(input),
  }));
}

function schemaOf(input: z.ZodMiniType): ToolDefinition['inputSchema'] {
  const {
    type,
    properties = {},
    required = [],
    additionalProperties,
  } = z.toJSONSchema(input, { io: 'input' });
  const readable = Object.entries(properties).map(
    ([key, property]) => [key, readableSchema(property)] as const,
  );
  // Through JSON, which leaves out what is undefined.
  return JSON.parse(
    JSON.stringify({ type, properties: Object.fromEntries(readable), required, additionalProperties }),
  ) as ToolDefinition['inputSchema'];
}

/** The type of a property first and its description last: people read the schemas as well, in package.json. */
function readableSchema(property: unknown): unknown {
  const {
    type,
    items,
    maximum,
    default: byDefault,
    description,
    ...rest
  } = property as Readonly<Record<string, unknown>>;
  // An integer without a bound is one that JavaScript can count with, which no model needs to read.
  const bound = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return { type, items, ...rest, maximum: bound, default: byDefault, description };
}
