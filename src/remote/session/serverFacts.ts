import { constants } from 'node:os';

import type { BackendCapabilities, HostInfo } from '../../core/index.js';
import type { ServerAdditions } from '../../protocol/index.js';
import { hostInfo } from './hostInfo.js';
import type { Greeting } from './openWire.js';

/** The facts about a server, from its own description. */
export interface ServerFacts {
  /** The additions to the protocol of the real server that it supports. */
  readonly additions: ServerAdditions;
  readonly host: HostInfo;
  readonly capabilities: BackendCapabilities;
}

/** Bounds for a server's list of signals, from which people choose: only proper names, and more than any system has. */
const SIGNAL_NAME = /^SIG[A-Z0-9+-]{1,20}$/;
const MAX_SIGNALS = 128;

export function describeServer(greeting: Greeting): ServerFacts {
  const signals = (greeting.capabilities?.signals ?? [])
    .filter((name) => SIGNAL_NAME.test(name))
    .slice(0, MAX_SIGNALS);
  const additions = { ...greeting.capabilities, signals };
  const { program } = additions;
  const host = {
    ...hostInfo(greeting.environmentInfo),
    ...(program !== undefined && { server: program }),
  };
  return {
    additions,
    host,
    capabilities: {
      terminals: additions.noTerminals !== true,
      resize: additions.resize === true,
      initialSize: additions.initialSize === true,
      closeStdin: additions.closeStdin === true,
      list: additions.list === true,
      attach: additions.attach === true,
      stop: additions.stop === true,
      survivors: additions.survivors === true,
      inputMode: additions.inputMode === true,
      inputWait: additions.inputWait === true,
      // Other servers can read files, and Linux lists listeners in one.
      portProbe: additions.portProbe === true ? 'connection' : host.platform === 'linux' && 'list',
      listeners: additions.listeners === true,
      usage: additions.usage === true,
      anonymousPipes: additions.anonymousPipes === true,
      ownership: additions.ownership === true,
      metadata: additions.metadata === true,
      startedWith: additions.startedWith === true,
      changes: additions.changes === true,
      views: additions.views === true,
      keptOutput: additions.keptOutput === true,
      outputTimes: additions.outputTimes === true,
      sandbox: additions.sandbox === true,
      signals: [...new Set(['SIGINT', 'SIGKILL', ...signals])],
    },
  };
}

/**
 * Whether this system knows a signal of that name. With a server that announces no signals, a known one may still be
 * unsupported.
 */
export function isSignalName(name: string): boolean {
  return Object.hasOwn(constants.signals, name);
}
