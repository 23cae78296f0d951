import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attempt, Done, Failed, Outcome } from '../../agent/drivers/outcome.ts';

const LSREGISTER =
  '/System/Library/Frameworks/CoreServices.framework/Frameworks/LaunchServices.framework/Support/lsregister';

export const unhurried: Attempt = { signal: new AbortController().signal, deadlineMs: 45_000 };

export function done<Data>(outcome: Outcome<Data>): Done<Data> {
  if (!outcome.ok) throw new Error(`expected success, got ${outcome.code}: ${outcome.message}`);
  return outcome;
}

export function failed(outcome: Outcome<unknown>): Failed {
  if (outcome.ok) throw new Error(`expected a failure, got: ${outcome.details}`);
  return outcome;
}

/** Puts a bundle without a working program into the person's Applications, known to LaunchServices; `remove` undoes it. */
export function installBundle(options: { name: string; bundleId: string; program: string | null }): { remove(): void } {
  const { name, bundleId, program } = options;
  const bundle = join(homedir(), 'Applications', `${name}.app`);
  mkdirSync(join(bundle, 'Contents/MacOS'), { recursive: true });
  writeFileSync(join(bundle, 'Contents/Info.plist'), informationOf({ name, bundleId }));
  if (program !== null) writeFileSync(join(bundle, 'Contents/MacOS/program'), program, { mode: 0o755 });
  spawnSync(LSREGISTER, ['-f', bundle]);
  return {
    remove: () => {
      spawnSync(LSREGISTER, ['-u', bundle]);
      rmSync(bundle, { recursive: true, force: true });
    },
  };
}

/** Opens a text in TextEdit, in front of everything else; `close` ends TextEdit without saving. */
export function openDocument(text: string): { close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-document-'));
  const path = join(folder, 'handrail-test.txt');
  writeFileSync(path, text);
  spawnSync('/usr/bin/open', ['-b', 'com.apple.TextEdit', path]);
  return {
    close: () => {
      spawnSync('/usr/bin/osascript', ['-e', 'quit application id "com.apple.TextEdit" saving no']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function informationOf({ name, bundleId }: { name: string; bundleId: string }): string {
  const entries = {
    CFBundleName: name,
    CFBundleIdentifier: bundleId,
    CFBundleExecutable: 'program',
    CFBundlePackageType: 'APPL',
  };
  const lines = Object.entries(entries).map(([key, value]) => `<key>${key}</key><string>${value}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${lines.join('')}</dict></plist>`;
}
