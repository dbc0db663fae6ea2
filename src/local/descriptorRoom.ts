import { closeSync, openSync } from 'node:fs';

/**
 * The descriptors of a child whose connections Node makes: a pair for each of three streams, a pair for the report of a
 * failed exec, and some for what the threads of this process open at the same moment.
 */
const NEEDED = 12;

/**
 * Makes sure that a child can be started whose standard streams Node makes. In a shortage Node 20 and 24 lose
 * descriptors for good: if the pairs for the streams can be had, and the one for the report cannot, our ends of the
 * streams stay open, and nobody has a handle to close them.
 *
 * Descriptors are opened to see, which takes 12 µs. Counting those that are open takes a quarter of that, on Linux alone,
 * and says nothing about the limit.
 *
 * @throws the error of the system if there are too few (`EMFILE`, or `ENFILE` for the whole machine).
 */
export function makeSureOfDescriptors(): void {
  if (process.platform === 'win32') {
    return; // Windows has no such limit.
  }
  const tried: number[] = [];
  try {
    for (let count = 0; count < NEEDED; count += 1) {
      tried.push(openSync('/dev/null', 'r'));
    }
  } finally {
    tried.forEach((descriptor) => closeSync(descriptor));
  }
}
