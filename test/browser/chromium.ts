import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright';

/** It works without a sandbox of its own as root, and calls nobody. */
export const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Chromium's headless shell: the same engine without a browser's windows around it, so that a page costs a fifth of the processor time.
 * For tests that were seen to pass in it: it has no windows, so no page in it is ever behind another one or out of sight.
 */
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
export const WHOLE_CHROMIUM = '/usr/bin/chromium';

/**
 * Chromium's own checks of who may reach loopback are off: other browsers have none, and they would keep an attack from
 * reaching what is tested here.
 */
const NO_LOCAL_NETWORK_CHECKS = '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests';

/** The system's Chromium with a profile of its own, in which every name leads to this machine. */
export async function openChromium(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'handrail-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: HEADLESS_SHELL,
    headless: true,
    args: [...QUIET, NO_LOCAL_NETWORK_CHECKS, '--host-resolver-rules=MAP * 127.0.0.1'],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** A window of the whole browser on a desktop. `close` removes its profile. */
export async function openWindow(
  environment: Record<string, string>,
  {
    profile = mkdtempSync(join(tmpdir(), 'handrail-window-')),
    more = [],
  }: { profile?: string | undefined; more?: string[] | undefined } = {},
): Promise<{ context: BrowserContext; page: Page; close(): Promise<void> }> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: WHOLE_CHROMIUM,
    headless: false,
    viewport: null,
    args: [...QUIET, '--force-renderer-accessibility', ...more],
    env: { ...process.env, ...environment } as Record<string, string>,
  });
  return {
    context,
    page: context.pages()[0] ?? (await context.newPage()),
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
