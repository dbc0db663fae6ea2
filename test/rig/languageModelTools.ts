// Updates the descriptions of the agents' tools in package.json from src/agent/definitions.ts.
//   npm run tools
import fs from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { toolDefinitions } from '../../src/agent/definitions.js';
import { root } from './paths.js';

interface ToolEntry {
  readonly name: string;
  modelDescription: string;
  inputSchema: unknown;
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly ToolEntry[] };
}

const file = path.join(root, 'package.json');
const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest;
for (const { name, description, inputSchema } of toolDefinitions) {
  const entry = manifest.contributes.languageModelTools.find((tool) => tool.name === name);
  if (entry === undefined) {
    throw new Error(
      `package.json has no languageModelTools entry for ${name} yet: add one with its icon and names.`,
    );
  }
  entry.modelDescription = description;
  entry.inputSchema = inputSchema;
}

async function write(): Promise<void> {
  const options = { ...(await resolveConfig(file)), filepath: file };
  fs.writeFileSync(file, await format(JSON.stringify(manifest), options));
}

void write();
