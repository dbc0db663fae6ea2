import { type Disposable, nothingToDispose } from '../core/index.js';

/**
 * Registers an offer to agents; a failure is only logged. Programs built from VS Code may have these functions and
 * reject every call. People can do without agents, but not without the rest of the extension.
 */
export function offer(register: () => Disposable, logError: (line: string) => void): Disposable {
  try {
    return register();
  } catch (error) {
    logError(`Not offered to agents: ${error instanceof Error ? error.message : String(error)}`);
    return nothingToDispose;
  }
}
