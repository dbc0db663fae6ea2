import type { Disposable, MetadataPatch } from '../core/index.js';

import type { Attention, HostedProcess } from './host.js';

/**
 * Calls a person to a session through its metadata, which each window of VS Code has that shows it, until the result is
 * disposed or this program is gone. Whether there is a window is not known here.
 */
export function callWindows({ process }: HostedProcess, why: Attention): Disposable {
  const say = (waitsFor: Attention | null) => {
    // A server that cannot remember it has no windows that look there.
    process
      .describe({ waitsFor } satisfies MetadataPatch, { whenGone: { patch: { waitsFor: null } } })
      .catch(() => undefined);
  };
  say(why);
  return { dispose: () => say(null) };
}
