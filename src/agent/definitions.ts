import definitions from './definitions.json';
import type { ToolDefinition, ToolName } from './tool.js';

/**
 * The definitions of all tools. Listing them loads nothing but the data that `npm run tools` makes of `toolSpecs.ts`.
 */
export const toolDefinitions = definitions as readonly ToolDefinition[];

export function toolDefinition(name: ToolName): ToolDefinition {
  const found = toolDefinitions.find((definition) => definition.name === name);
  if (found === undefined) {
    throw new Error(`There is no tool called ${name}.`);
  }
  return found;
}
