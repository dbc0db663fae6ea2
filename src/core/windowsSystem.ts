import type { HostVariables } from './envPolicy.js';

/**
 * The whole path of a program that comes with Windows. Windows looks for a bare name in the current directory first,
 * which may belong to a hostile workspace.
 */
export function systemProgram(name: string, env: HostVariables): string {
  return `${systemRoot(env)}\\System32\\${name}`;
}

/** The directory of Windows itself. */
export function systemRoot(env: HostVariables): string {
  return env['SystemRoot'] ?? 'C:\\Windows';
}
