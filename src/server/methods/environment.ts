import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

import { version } from '../../../package.json';
import type { HostVariables } from '../../core/index.js';
import { type EnvironmentInfo, uriFromPath } from '../../protocol/index.js';
import { findUserShell } from '../../local/index.js';
import type { MethodHandlers, ServerEnvironment } from './methodHandlers.js';

const PLATFORMS: Partial<Readonly<Record<NodeJS.Platform, string>>> = { win32: 'windows', darwin: 'macos' };

/** What this server is and where, as `initialize` and `environment/info` tell it. */
export function environmentInfo({ cwd, hostEnv }: ServerEnvironment): EnvironmentInfo {
  return {
    shell: findUserShell(hostEnv),
    executorVersion: version,
    // What there is to be found here depends on the program alone.
    providerId: `sha256:${createHash('sha256').update(`exec-sessions ${version}`).digest('hex')}`,
    cwd: uriOf(cwd),
    userHomeDir: uriOf(os.homedir()),
    platformOs: PLATFORMS[process.platform] ?? process.platform,
    temporaryDirectories: temporaryDirectories(hostEnv),
    tempDir: uriOf(os.tmpdir()),
    // Only what is true: all others are false for whoever reads it.
    capabilities: { httpHeaderEnvVars: true, fileWriteStreaming: true },
  };
}

/** Whoever set HOME or TMPDIR may have set it to anything. */
function uriOf(directory: string): string | undefined {
  return path.isAbsolute(directory) ? uriFromPath(directory) : undefined;
}

/** Those that the variables name; `tempDir` is the one that programs use without. */
function temporaryDirectories(env: HostVariables): string[] {
  const names = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
  const named = new Set(names.map((name) => env[name] ?? ''));
  return [...named].flatMap((directory) => uriOf(directory) ?? []);
}

export const environmentMethods: MethodHandlers = {
  'environment/info': (_params, { environment }) => environmentInfo(environment),
  'environment/status': () => ({ status: 'ready' }),
};
