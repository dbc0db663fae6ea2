import type { Session } from '../../src/sessions/list/session.js';
import { textOf } from './bytes.js';

/** Records everything that is written to a session from here on, typed or answered by an emulator. */
export function recordInput({ process }: Session): { text: string } {
  const input = { text: '' };
  const write = process.write.bind(process);
  process.write = (bytes) => {
    input.text += textOf([{ bytes }]);
    return write(bytes);
  };
  return input;
}
