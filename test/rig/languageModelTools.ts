// Writes src/agent/definitions.json and the tools' descriptions in package.json from src/agent/input/toolSpecs.ts.
//   npm run tools
import fs from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { root } from './paths.js';
import { makeToolDefinitions } from './toolDefinitions.js';

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
const definitions = makeToolDefinitions();
for (const { name, description, inputSchema } of definitions) {
  const entry = manifest.contributes.languageModelTools.find((tool) => tool.name === name);
  if (entry === undefined) {
    throw new Error(
      `package.json has no languageModelTools entry for ${name} yet: add one with its icon and names.`,
    );
  }
  entry.modelDescription = description;
  entry.inputSchema = inputSchema;
}

async function write(file: string, content: unknown): Promise<void> {
  const options = { ...(await resolveConfig(file)), filepath: file };
  fs.writeFileSync(file, await format(JSON.stringify(content), options));
}

void write(file, manifest);
void write(path.join(root, 'src/agent/definitions.json'), definitions);
