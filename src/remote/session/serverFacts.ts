import { constants } from 'node:os';

import type { BackendCapabilities, HostInfo } from '../../core/index.js';
import type { EnvironmentInfo, ServerAdditions } from '../../protocol/index.js';
import { hostInfo } from './hostInfo.js';
import type { Greeting } from './openWire.js';
import { PathDialect } from './pathDialect.js';

/** What is known of the server at the other end, from what it said of itself. */
export interface ServerFacts {
  /** What it can do beyond the protocol of the real server. */
  readonly additions: ServerAdditions;
  readonly host: HostInfo;
  readonly paths: PathDialect;
  readonly capabilities: BackendCapabilities;
}

/** People choose among them, so they are what such a name can be; no system has as many. */
const SIGNAL_NAME = /^SIG[A-Z0-9+-]{1,20}$/;
const MAX_SIGNALS = 128;

/** @param info What a server said when it was asked, one that had not said it by itself. */
export function describeServer(greeting: Greeting, info: EnvironmentInfo | undefined): ServerFacts {
  const signals = (greeting.capabilities?.signals ?? [])
    .filter((name) => SIGNAL_NAME.test(name))
    .slice(0, MAX_SIGNALS);
  const additions = { ...greeting.capabilities, signals };
  const host = hostInfo(greeting.environmentInfo ?? info);
  // Servers that greet with it are of after June 2026. Of the others it shows at the first path.
  const uris = greeting.environmentInfo ? true : undefined;
  return {
    additions,
    host,
    paths: new PathDialect(host.platform, uris),
    capabilities: {
      resize: additions.resize === true,
      initialSize: additions.initialSize === true,
      closeStdin: additions.closeStdin === true,
      list: additions.list === true,
      attach: additions.attach === true,
      stop: additions.stop === true,
      inputMode: additions.inputMode === true,
      portProbe: additions.portProbe === true,
      signals: [...new Set(['SIGINT', 'SIGKILL', ...signals])],
    },
  };
}

/**
 * Whether there is such a signal anywhere. What a server without an own list is asked for may exist and be out of its
 * reach all the same.
 */
export function isSignalName(name: string): boolean {
  return Object.hasOwn(constants.signals, name);
}
