import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareApp } from '../../src/packaging/pack.ts';
import { APP_FOLDER } from '../../src/packaging/places.ts';
import { refusalToPack } from '../../src/packaging/signing.ts';
import { type Ended, runScript } from './packing.ts';
import { writeStubElectron } from './stub-electron.ts';

const folder = mkdtempSync(join(tmpdir(), 'handrail-signing-'));
const programs = join(folder, 'programs');

beforeAll(async () => {
  if (!existsSync(APP_FOLDER)) await prepareApp(['arm64']);
  mkdirSync(programs);
  writeStubElectron(join(folder, 'electron'));
  writeProgram('security', SECURITY_WITHOUT_CERTIFICATE);
  writeProgram('codesign', CODESIGN);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** As `security find-identity` answers with an empty keychain. */
const SECURITY_WITHOUT_CERTIFICATE = 'echo "     0 valid identities found"';

/** Signs by a file where the real one puts its own, and finds an app without it changed, in the words of the real one. */
const CODESIGN = `
for app; do :; done
case "$*" in
  *--display*) if [ -e "$app/Contents/_CodeSignature/CodeResources" ]; then echo Signature=adhoc >&2; else exit 1; fi ;;
  *--verify*) [ -e "$app/Contents/_CodeSignature/CodeResources" ] || { echo "$app: code has no resources but signature indicates they must be present" >&2; exit 1; } ;;
  *--sign*) [ -d "$app" ] || exit 0; mkdir -p "$app/Contents/_CodeSignature"; echo signed >"$app/Contents/_CodeSignature/CodeResources" ;;
esac`;

function writeProgram(name: string, text: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(programs, name), 0o755);
}

const OUTSIDE_OF_PULL_REQUESTS = { GITHUB_BASE_REF: '', CSC_FOR_PULL_REQUEST: 'false' };

function pack(args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const places = [join(folder, 'electron'), join(folder, 'packed'), programs];
  const PATH = `${programs}:${process.env.PATH}`;
  return runScript('test/packaging/pack-as-mac.ts', [...places, ...args], { PATH, ...environment });
}

test('on a Mac without a certificate the packing fails', async () => {
  const { code, output, errors } = await pack([], OUTSIDE_OF_PULL_REQUESTS);
  expect([code, output + errors]).toEqual([1, expect.stringContaining('skipped macOS application code signing')]);
});

test('for a pull request, where electron-builder signs nothing and reports success, the packing fails', async () => {
  const { code, errors } = await pack(['--unsigned'], { ...OUTSIDE_OF_PULL_REQUESTS, GITHUB_BASE_REF: 'main' });
  expect([code, errors]).toEqual([1, expect.stringContaining('CSC_FOR_PULL_REQUEST=true')]);
  expect(errors).toContain('code has no resources but signature indicates they must be present');
});

test('--unsigned signs by nobody for a pull request that asks for it', async () => {
  const { code, errors } = await pack(['--unsigned'], { GITHUB_BASE_REF: 'main', CSC_FOR_PULL_REQUEST: 'true' });
  expect({ code, errors }).toEqual({ code: 0, errors: expect.any(String) });
});

const LINUX = { platform: 'linux', isAppAlone: true, isUnsigned: true } as const;

test.each([
  { wish: LINUX, refusal: undefined },
  { wish: { ...LINUX, isUnsigned: false }, refusal: 'Only a Mac can sign the app.' },
  { wish: { ...LINUX, isAppAlone: false }, refusal: 'A disk image needs a Mac.' },
  { wish: { platform: 'darwin', isAppAlone: false, isUnsigned: false } as const, refusal: undefined },
])('$wish is refused: $refusal', ({ wish, refusal }) => {
  const expected = refusal === undefined ? undefined : expect.stringContaining(refusal);
  expect(refusalToPack(wish)).toEqual(expected);
});

test('each step of the workflow that packs the app also signs it for a pull request', () => {
  const workflow = readFileSync(join(import.meta.dirname, '../../.github/workflows/check.yml'), 'utf8');
  const steps = workflow.split(/^ {6}- /m).filter((step) => step.includes('npm run package'));
  expect(steps.length).toBe(2);
  for (const step of steps) expect(step).toContain('CSC_FOR_PULL_REQUEST: "true"');
});
