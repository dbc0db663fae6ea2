import type { Disposable, MetadataPatch } from '../core/index.js';

import type { Attention, HostedProcess } from './host.js';

/**
 * Calls a person to a session until the result is disposed or this program ends. The call is in the metadata of the
 * session, so every window that shows the session has it. It is not known here whether there is a window.
 */
export function callWindows({ process }: HostedProcess, why: Attention): Disposable {
  const say = (waitsFor: Attention | null) => {
    // A server that cannot store metadata has no windows that would read it.
    process
      .describe({ waitsFor } satisfies MetadataPatch, { whenGone: { patch: { waitsFor: null } } })
      .catch(() => undefined);
  };
  say(why);
  return { dispose: () => say(null) };
}
