import { type Browser, chromium } from 'playwright';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';

let launched: Promise<Browser> | undefined;

/** The headless shell that all files of a worker use, one after another. Playwright ends it when the worker ends. */
export function browserOfWorker(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: HEADLESS_SHELL, args: QUIET });
  return launched;
}
