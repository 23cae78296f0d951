import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { build, type PlistValue, parse } from 'plist';

/** Electron names reasons to use these devices for every app. Handrail uses none of them, so macOS shall refuse them. */
const NOT_USED = /^NS(Bluetooth\w*|Camera|Microphone|AudioCapture)UsageDescription$/;

/**
 * electron-builder lets every app load from any address without encryption, and Electron's own Info.plist names devices that
 * Handrail never uses. This takes both out, before the fuses are set and the app is signed. The page of the daemon is loaded by
 * Chromium, which these rules of macOS do not concern.
 */
export async function afterPack({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const file = join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents/Info.plist');
  const info = parse(readFileSync(file, 'utf8'));
  if (!isDictionary(info)) throw new Error(`${file} is no property list of names and values.`);
  const used = Object.entries(info).filter(([name]) => !NOT_USED.test(name));
  writeFileSync(
    file,
    build({ ...Object.fromEntries(used), NSAppTransportSecurity: { NSAllowsLocalNetworking: true } }),
  );
}

function isDictionary(value: unknown): value is Record<string, PlistValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
