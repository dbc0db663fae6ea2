import fs from 'node:fs';
import path from 'node:path';

import { root } from './paths.js';

/** Files by patterns, whose braces and asterisks mean the same as in a shell. */
export interface TestFiles {
  readonly files: string;
  readonly except?: string;
}

/** All files of tests, from the root. */
export function allTestFiles(): readonly string[] {
  return fs
    .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`)
    .sort();
}

export function includes({ files, except }: TestFiles, file: string): boolean {
  return pattern(files).test(file) && (except === undefined || !pattern(except).test(file));
}

/** A pattern of a shell as one of JavaScript. */
function pattern(text: string): RegExp {
  const parts: Readonly<Record<string, string>> = {
    '**/': '(?:[^/]+/)*',
    '*': '[^/]*',
    '{': '(?:',
    '}': ')',
    ',': '|',
    '.': '\\.',
  };
  return new RegExp(`^${text.replaceAll(/\*\*\/|[*{},.]/g, (part) => parts[part] ?? '')}$`);
}
