import { ExecError } from './errors.js';
import type { StartParams } from './process/execBackend.js';

/**
 * Checks that no text of a start contains a NUL character: systems end a string with it.
 *
 * @throws ExecError that names the place.
 */
export function checkNul({ argv, arg0, cwd, env }: Pick<StartParams, 'argv' | 'arg0' | 'cwd' | 'env'>): void {
  const nul = '\0';
  if (argv.some((argument) => argument.includes(nul)) || arg0?.includes(nul) === true) {
    throw new ExecError({ kind: 'nulCharacter', where: 'an argument' });
  }
  if (cwd.includes(nul)) {
    throw new ExecError({ kind: 'nulCharacter', where: 'the working directory' });
  }
  if (Object.entries(env).some(([name, value]) => name.includes(nul) || value.includes(nul))) {
    throw new ExecError({ kind: 'nulCharacter', where: 'an environment variable' });
  }
}
