import { endAll } from '../rig/lifetime.js';
import type { Drive } from './drive.js';

export { startDrive, type Drive, type DriveOptions } from './drive.js';

// A drive that its test could not close would keep mocha from ending.
after(() => endAll());

/** Takes a picture of the window after a failed test, in a suite's afterEach. */
export async function pictureOfFailure(
  drive: Drive | undefined,
  test: Mocha.Test | undefined,
): Promise<void> {
  if (drive && test?.isFailed()) {
    await drive.workbench.screenshot(`failed-${test.fullTitle()}`).catch(() => undefined);
  }
}
