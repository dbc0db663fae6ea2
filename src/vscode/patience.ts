import * as vscode from 'vscode';

import type { Clock } from '../core/index.js';
import { SESSIONS_VIEW } from './ids.js';

/** Work that takes longer than this shows a notification with Cancel, in milliseconds. */
const PATIENCE_MS = 1_500;

/** Shows that work is under way: in the view at once, and in a notification with Cancel if it takes long. */
export async function withPatience<T>(
  work: Promise<T>,
  options: { readonly title: string; readonly cancel: AbortController; readonly clock: Clock },
): Promise<T> {
  const { title, cancel, clock } = options;
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  void vscode.window.withProgress({ location: { viewId: SESSIONS_VIEW } }, () => settled);
  const patience = clock.after(PATIENCE_MS, () => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => cancel.abort());
        return settled;
      },
    );
  });
  try {
    return await work;
  } finally {
    patience.dispose();
  }
}
