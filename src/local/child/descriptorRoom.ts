import { closeSync, openSync } from 'node:fs';

/**
 * The descriptors of a child whose connections Node makes. Each of its three streams takes a pair, and so does the
 * report of a failed exec. The rest is for files that the threads of this process open at the same moment.
 */
const NEEDED = 12;

/**
 * Makes sure that a child can be started whose standard streams Node makes. In a shortage Node 20 and 24 lose
 * descriptors for good. If they get only the pairs for the streams, our ends of these stay open without a handle to
 * close them.
 *
 * The check opens descriptors, which takes 12 µs. Counting the open ones would take a quarter of that, but works on
 * Linux only and does not tell the limit.
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
