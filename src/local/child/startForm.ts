import path from 'node:path';

import { ExecError, type StartParams } from '../../core/index.js';

/**
 * Refuses a request that the system would understand differently: a relative directory would be below our own, and
 * `A=B` would set the variable `A`. Callers without types may also pass values that are not texts.
 *
 * @throws ExecError that names the fault.
 */
export function checkForm({ argv, arg0 = '', cwd, env, envPolicy }: StartParams): void {
  const variables = { ...envPolicy?.set, ...env };
  checkTexts('an argument', argv);
  checkTexts('the name of the program', [arg0]);
  checkTexts('the working directory', [cwd]);
  checkTexts('an environment variable', Object.values(variables));
  if (envPolicy !== undefined) {
    checkTexts('a pattern of names of variables', envPolicy.exclude);
    checkTexts('a pattern of names of variables', envPolicy.includeOnly);
  }
  const name = Object.keys(variables).find((key) => key.includes('='));
  if (name !== undefined) {
    throw new ExecError({ kind: 'badVariableName', name });
  }
  if (!path.isAbsolute(cwd)) {
    throw new ExecError({ kind: 'cwdNotAbsolute', cwd });
  }
}

/** A value that is not a list at all is refused in the same words. */
function checkTexts(where: string, texts: unknown): void {
  // A hole in a list is not a text either, and `every` would skip it.
  if (!Array.isArray(texts) || !Array.from(texts).every((text) => typeof text === 'string')) {
    throw new ExecError({ kind: 'notText', where });
  }
}
