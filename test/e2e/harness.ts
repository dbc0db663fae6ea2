import { endAll } from '../rig/lifetime.js';
import type { Drive } from './drive.js';
import type { Workbench } from './workbench.js';

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

/** Waits until our extension is active in a window with the neighbour, and has loaded these files beside its entry. */
export async function hasLoaded(vscode: Workbench, ...files: readonly string[]): Promise<void> {
  await vscode.palette('Neighbour: List What Is Loaded');
  await vscode.toast(new RegExp(`Loaded: ${['extension.js', ...files].join(', ')}$`, 'm')).waitFor();
  await vscode.closeToasts();
}
