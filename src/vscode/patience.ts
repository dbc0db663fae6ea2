import * as vscode from 'vscode';

import type { Clock, Disposable } from '../core/index.js';
import { SESSIONS_VIEW } from './ids.js';

/** Work that takes longer than this shows a notification with Cancel, in milliseconds. */
const PATIENCE_MS = 1_500;

/** Shows that work is under way: in the view at once, and in a notification with Cancel if it takes long. */
export async function withPatience<T>(
  work: Promise<T>,
  options: {
    readonly title: string;
    readonly cancel: AbortController;
    readonly clock: Clock;
    /** Tells the steps of the work, until it is disposed. */
    readonly steps?: (tell: (step: string) => void) => Disposable;
  },
): Promise<T> {
  const { title, cancel, clock, steps } = options;
  let latest = '';
  let tell = (step: string): void => {
    latest = step;
  };
  const telling = steps?.((step) => tell(step));
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  void vscode.window.withProgress({ location: { viewId: SESSIONS_VIEW } }, () => settled);
  const patience = clock.after(PATIENCE_MS, () => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => {
        tell = (message) => {
          progress.report({ message });
        };
        if (latest !== '') {
          tell(latest);
        }
        token.onCancellationRequested(() => cancel.abort());
        return settled;
      },
    );
  });
  try {
    return await work;
  } finally {
    patience.dispose();
    telling?.dispose();
  }
}
