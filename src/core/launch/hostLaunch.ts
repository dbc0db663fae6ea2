import type { BackendCapabilities, HostInfo, TerminalSize } from '../index.js';
import { sessionEnvironment, type EnvironmentChanges, type SessionEnvironment } from './variables.js';
import { isWindowsThere } from './directory.js';
import type { ShellChoice } from './shellCommand.js';

/** The shell of whoever the processes run as there, or the one that every such machine has. */
export function shellThere(host: HostInfo): ShellChoice {
  const windows = isWindowsThere(host);
  return {
    shell: host.shell?.path ?? (windows ? 'cmd.exe' : '/bin/sh'),
    arguments: [],
    platform: windows ? 'windows' : host.platform === 'darwin' ? 'macos' : 'posix',
  };
}

/**
 * How a session's environment is made out of that of its server. Nothing of this machine goes into it: its paths mean
 * nothing there, and its secrets are nobody's business.
 */
export function environmentThere(options: {
  readonly host: HostInfo;
  readonly tty: boolean;
  readonly version: string;
  readonly changes: EnvironmentChanges;
}): SessionEnvironment {
  return sessionEnvironment({
    host: undefined,
    tty: options.tty,
    windows: isWindowsThere(options.host),
    version: options.version,
    changes: [options.changes],
  });
}

/** What a terminal there is told of its size: nothing if its server takes none. */
export function sizeThere(
  capabilities: BackendCapabilities,
  size: TerminalSize | undefined,
): TerminalSize | undefined {
  return capabilities.initialSize ? size : undefined;
}
