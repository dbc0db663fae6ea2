import type { ExitStatus, OutputStream } from '../../core/index.js';
export class Denial {
  output(_s: OutputStream, _b: Uint8Array): void {
    /* */
  }
  exited(s: ExitStatus): ExitStatus {
    return s;
  }
}
