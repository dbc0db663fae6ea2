import { DEFAULT_TERMINAL_SIZE, type TerminalSize } from '../../src/core/index.js';

/** The size of an emulator in tests that do not depend on it. */
export function usualSize(): TerminalSize {
  return DEFAULT_TERMINAL_SIZE;
}
