import type { HostVariables } from './envPolicy.js';

/**
 * The whole path of a program that comes with Windows. For a bare name, Windows looks in the current directory first,
 * and that may belong to a hostile workspace.
 */
export function systemProgram(name: string, env: HostVariables): string {
  return `${systemRoot(env)}\\System32\\${name}`;
}

/** The directory of Windows itself. */
export function systemRoot(env: HostVariables): string {
  return env['SystemRoot'] ?? 'C:\\Windows';
}
