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
  const lax = Object.entries(properties).map(([key, property]) => [key, laxSchema(key, property)] as const);
  // Through JSON, which leaves out what is undefined.
  return JSON.parse(
    JSON.stringify({ type, properties: Object.fromEntries(lax), required }),
  ) as ToolDefinition['inputSchema'];
}

/**
 * A property for clients, some of which refuse by the schema what we would take or explain better: without bounds, which
 * are in the description. The description comes last, since people read the schemas as well, in package.json.
 *
 * Each has one type, except where models often send another one. Two types are an `anyOf`: as a list (`"type": [...]`),
 * Gemini refuses every request behind interfaces like that of OpenAI, VS Code's chat among them. For such models a list
 * needs `items`, and an object `properties`; without any type, Gemini CLI has left out whole tools.
 */
function laxSchema(key: string, property: unknown): unknown {
  const { type, items, description } = property as Readonly<Record<string, unknown>>;
  return {
    ...(EITHER.has(key)
      ? { anyOf: [{ type }, { type: type === 'string' ? 'integer' : 'string' }] }
      : { type }),
    ...(items !== undefined && { items: laxSchema('', items) }),
    ...(type === 'object' && { properties: {} }),
    description,
  };
}

/** The numbers that models send as text, and the texts that they send as numbers. */
const EITHER: ReadonlySet<string> = new Set(['session', 'cursor', 'from']);
