import type { Session } from '../../src/sessions/list/session.js';
import { textOf } from './bytes.js';

/** All that is written to a session from here on, be it typed or answered by an emulator. */
export function recordInput({ process }: Session): { text: string } {
  const input = { text: '' };
  const write = process.write.bind(process);
  process.write = (bytes) => {
    input.text += textOf([{ bytes }]);
    return write(bytes);
  };
  return input;
}
