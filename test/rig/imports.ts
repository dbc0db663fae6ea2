import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { root } from './paths.js';
import type { Import } from './rooms.js';

const src = path.join(root, 'src');

/** The TypeScript files below src/, by their paths there. */
export const sourceFiles: readonly string[] = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => file.endsWith('.ts'));

/** The imports of all files by others of src/. */
export function readImports(): readonly Import[] {
  return sourceFiles.flatMap((file) => importsIn(file, fs.readFileSync(path.join(src, file), 'utf8')));
}

/**
 * The imports of other files in a text: of values and of types, and those within the code (`import()`, `require()`).
 *
 * @throws Error if there is no such file.
 */
export function importsIn(from: string, text: string): readonly Import[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ from, to: resolved(from, name) }))
    .filter(({ to }) => !to.startsWith('../'));
}

function resolved(from: string, specifier: string): string {
  const stem = path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '');
  const file = [`${stem}.ts`, `${stem}.d.ts`].find((one) => sourceFiles.includes(one));
  if (file === undefined && !specifier.endsWith('.json')) {
    throw new Error(`src/${from} imports ${specifier}, which is not there.`);
  }
  return file ?? path.posix.join(path.posix.dirname(from), specifier);
}
