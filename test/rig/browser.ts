import { chromium, type Browser } from 'playwright-core';
import type { Base } from './base.js';
import { onEnd } from './lifetime.js';
import { ensureChromium } from './programs.js';

export interface RunningBrowser {
  readonly browser: Browser;
  readonly close: () => Promise<void>;
}

export async function launchBrowser(base: Base): Promise<RunningBrowser> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    headless: true,
    env: { ...base.env },
    // Playwright's own handlers would end this process before the server is stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // Root, the usual user in a container, cannot use the sandbox; the only page is our own on the loopback.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
  return { browser, close: onEnd(() => browser.close()) };
}
