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
  const { type, properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  const lax = Object.entries(properties).map(([key, property]) => [key, laxSchema(property)] as const);
  // Through JSON, which leaves out what is undefined.
  return JSON.parse(
    JSON.stringify({ type, properties: Object.fromEntries(lax), required }),
  ) as ToolDefinition['inputSchema'];
}

/**
 * A property for clients, some of which refuse by the schema what we would take or explain better: without bounds, which
 * are in the description, and with the types that models send as well. The first type is the one that is meant; the type
 * comes first and the description last, since people read the schemas as well, in package.json.
 */
function laxSchema(property: unknown): unknown {
  const { type, items, pattern, description } = property as Readonly<Record<string, unknown>>;
  return {
    type: laxType(type, pattern !== undefined),
    items: items === undefined ? undefined : laxSchema(items),
    description,
  };
}

/** @param isCursor Whether it is a text that often is only digits. */
function laxType(type: unknown, isCursor: boolean): unknown {
  if (type === 'string') {
    return isCursor ? ['string', 'integer'] : type;
  }
  return [type, 'string'];
}
