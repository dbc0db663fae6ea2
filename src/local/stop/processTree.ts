import type { ProcessIdentity, StopOptions, StopReport } from '../../core/index.js';
import { endProcess } from './leftByEnded.js';

/**
 * Ends a process and everything below it, step by step, and nothing else: not their process groups, and no process of
 * another user. The identity of each is read again right before each signal.
 */
export function endTree(root: ProcessIdentity, options?: StopOptions): Promise<StopReport> {
  void options;
  return endProcess(root);
}
