import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHELL_CALL_NAMES } from '../../src/contract/shell-calls.ts';

/** All that the preload script of a sandboxed page may require. */
const ALLOWED = ['electron', 'events', 'timers', 'url'];

const folder = mkdtempSync(join(tmpdir(), 'handrail-preload-'));
const file = join(folder, 'preload.cjs');

beforeAll(async () => {
  const input = join(import.meta.dirname, '../../src/electron/preload.ts');
  const built = await rolldown({ input, external: ALLOWED, platform: 'node' });
  await built.write({ file, format: 'cjs', codeSplitting: false });
  await built.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script with nothing of Node but `require` of what is allowed, and answers with what it exposed. */
function run() {
  const exposed = new Map<string, Record<string, (request: unknown) => Promise<unknown>>>();
  const invoked: unknown[][] = [];
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, (request: unknown) => Promise<unknown>>) =>
        void exposed.set(name, api),
    },
    ipcRenderer: {
      async invoke(...call: unknown[]) {
        invoked.push(call);
        return 'answered';
      },
    },
  };
  const required: string[] = [];
  const require = (name: string) => {
    required.push(name);
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return electron;
  };
  runInNewContext(readFileSync(file, 'utf8'), { require, exports: {}, module: { exports: {} } });
  return { exposed, invoked, required };
}

test('the bundled preload is one file that requires nothing but electron', () => {
  expect(existsSync(file)).toBe(true);
  expect(new Set(run().required)).toEqual(new Set(['electron']));
});

test('it exposes a function for each call, and nothing else', () => {
  const { exposed } = run();
  expect([...exposed.keys()]).toEqual(['handrailShell']);
  const calls = exposed.get('handrailShell') ?? {};
  expect(Object.keys(calls)).toEqual([...SHELL_CALL_NAMES]);
});

test('each function goes to its own channel with its request, and to no other', async () => {
  const { exposed, invoked } = run();
  const calls = exposed.get('handrailShell') ?? {};
  for (const name of SHELL_CALL_NAMES) expect(await calls[name]?.({ name })).toBe('answered');
  expect(invoked).toEqual(SHELL_CALL_NAMES.map((name) => [`handrail:${name}`, { name }]));
});
