import type { Locator } from 'playwright-core';

/** How long a slow machine may take for anything, such as loading a window, in milliseconds. */
export const WAIT_MS = 120_000;

/**
 * Polls until the condition holds.
 *
 * @throws Error that names `what` was waited for, after `limitMs`.
 */
export async function until(
  what: string | (() => string),
  condition: () => Promise<boolean> | boolean,
  limitMs = WAIT_MS,
): Promise<void> {
  const limit = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > limit) {
      throw new Error(`Waited ${limitMs / 1000} s until ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Whether it is there within the time. */
export function appears(locator: Locator, limitMs: number): Promise<boolean> {
  return holds(locator.waitFor({ timeout: limitMs }));
}

/** Whether it is gone within the time. */
export function disappears(locator: Locator, limitMs: number): Promise<boolean> {
  return holds(locator.waitFor({ state: 'hidden', timeout: limitMs }));
}

/** Whether a wait ended well. */
export function holds(wait: Promise<void>): Promise<boolean> {
  return wait.then(
    () => true,
    () => false,
  );
}
