import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
}

export const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;

export const extensionId = `${manifest.publisher}.${manifest.name}`;

export const vsixFile = path.join(root, `${manifest.name}-${manifest.version}.vsix`);

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
