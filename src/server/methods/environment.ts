import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

import { version } from '../../../package.json';
import type { HostVariables } from '../../core/index.js';
import { type EnvironmentInfo, uriFromPath } from '../../protocol/index.js';
import { findUserShell } from '../../local/index.js';
import type { MethodHandlers, ServerEnvironment } from './methodHandlers.js';

const PLATFORMS: Partial<Readonly<Record<NodeJS.Platform, string>>> = { win32: 'windows', darwin: 'macos' };

/** The description of this server and its machine, for `initialize` and `environment/info`. */
export function environmentInfo({ cwd, hostEnv }: ServerEnvironment): EnvironmentInfo {
  return {
    shell: findUserShell(hostEnv),
    executorVersion: version,
    // The id stands for the environment that clients find here, which depends on the program alone.
    providerId: `sha256:${createHash('sha256').update(`exec-sessions ${version}`).digest('hex')}`,
    cwd: uriOf(cwd),
    userHomeDir: uriOf(os.homedir()),
    platformOs: PLATFORMS[process.platform] ?? process.platform,
    temporaryDirectories: temporaryDirectories(hostEnv),
    tempDir: uriOf(os.tmpdir()),
    // Only true capabilities are listed: clients take missing ones as false.
    capabilities: { httpHeaderEnvVars: true, fileWriteStreaming: true },
  };
}

/** The URI of a directory; undefined if it is no absolute path, since HOME and TMPDIR can have any value. */
function uriOf(directory: string): string | undefined {
  return path.isAbsolute(directory) ? uriFromPath(directory) : undefined;
}

/** The temporary directories that variables name; `tempDir` is the one that programs use without them. */
function temporaryDirectories(env: HostVariables): string[] {
  const names = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
  const named = new Set(names.map((name) => env[name] ?? ''));
  return [...named].flatMap((directory) => uriOf(directory) ?? []);
}

export const environmentMethods: MethodHandlers = {
  'environment/info': (_params, { environment }) => environmentInfo(environment),
  'environment/status': () => ({ status: 'ready' }),
};
