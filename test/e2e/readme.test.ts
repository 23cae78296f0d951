import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

/**
 * The commands a new user copies out of the section "First calls", and out of the walk-through that goes on from there. The person
 * answers before the last first call; here the calls of the walk-through that answer by hand do it.
 */
function firstCalls(): string[] {
  const readme = textOf('README.md');
  const api = textOf('src/http/API.md');
  const first = commandsIn(readme.slice(readme.indexOf('## First calls'), readme.indexOf('## Connect')));
  const further = commandsIn(api.slice(api.indexOf('## Walk-through')));
  return [...first.slice(0, -1), ...further.slice(0, 2), ...first.slice(-1), ...further.slice(2)];
}

function commandsIn(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => String(match[1]));
}

function textOf(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

const FILE_TYPES = ['ListFiles', 'ReadFile', 'WriteFile', 'MoveFile', 'TrashFile', 'RunScript'];

let daemon: RunningDaemon;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-readme-'));
  daemon = await startDaemonProcess({ HOME: folder });
});

afterAll(async () => {
  await daemon.stop();
  // Apps that were opened may still be putting their caches away.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

test('the README’s first calls work as printed, on a real desktop, without a pause after the start', async () => {
  const script = firstCalls()
    .join('\necho; echo ---\n')
    .replaceAll('http://127.0.0.1:3001', daemon.base)
    .replace('paste-the-code-here', daemon.signInCode);
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-eu', '-c', script], {
    cwd: folder,
    timeout: 50_000,
  });
  const printed = stdout.split('\n---\n').map((part) => part.trim());
  const [health, device, described, opened, asked, appsOnly] = printed.slice(0, 6).map((text) => JSON.parse(text));
  const decided = JSON.parse(String(printed[6]?.slice(printed[6].lastIndexOf('{"actionId"'))));
  expect(health).toMatchObject({ status: 'ok', service: 'handrail' });
  expect(device).toMatchObject({ id: expect.stringMatching(/^dev_/), type: 'linux', warnings: [] });
  expect(appsOnly).toMatchObject({ capabilities: { canOpenApps: true } });
  expect(described).toMatchObject({ status: 'success', effect: 'none', details: expect.stringMatching(/\.$/) });
  expect(opened).toMatchObject({ status: 'success', effect: 'confirmed', data: { pid: expect.any(Number) } });
  expect(asked).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'medium' } });
  expect(decided).toMatchObject({ actionType: 'TakeScreenshot' });
  const [task, log] = printed.slice(8, 10).map((text) => JSON.parse(text));
  expect(task).toMatchObject({ taskId: expect.stringMatching(/^tsk_/), progress: { total: 2 } });
  const ofFiles = String(printed[10]).replaceAll('}{', '}\n{').split('\n');
  expect(ofFiles.map((text) => JSON.parse(text).actionType)).toEqual(FILE_TYPES);
  expect(log.items.map(({ actionType }: { actionType: string }) => actionType)).toContain('TakeScreenshot');
  const picture = readFileSync(join(folder, 'screenshot.png'));
  expect(picture.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1_920, 1_080]);
});
