import { createRequire } from 'node:module';
import path from 'node:path';

/** Runs the guard from its source, so that tests need no build. Absolute paths: the guard lives in the root folder. */
export const guardArgv: readonly [string, ...string[]] = [
  process.execPath,
  '--import',
  createRequire(path.resolve('package.json')).resolve('tsx'),
  path.resolve('src/local/guard/main.ts'),
];
