import { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDesktopFolder, startTethered } from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

const shell = (script: string) =>
  startTethered({ program: 'sh', args: ['-c', script], environment: { PATH: process.env.PATH } });

test('of what a program said on standard error, its end names the last 2,000 characters', async () => {
  const { message } = await shell(`printf '%03000d' 7 | tr 0 x >&2; exit 3`).ended;
  expect(message).toBe(`sh ended with exit code 3: ${'x'.repeat(1_999)}7`);
});

test('a program that goes on after SIGTERM is killed two seconds later', async () => {
  const program = shell(`trap '' TERM; echo ready >&3; while :; do read -r line <&9 || sleep 60; done 9</dev/null`);
  await program.firstLine();
  const kill = vi.spyOn(ChildProcess.prototype, 'kill');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    kill.mockRestore();
  });
  const signals = () => kill.mock.calls.map(([signal]) => signal);
  const ending = program.end();
  vi.advanceTimersByTime(1_999);
  expect(signals()).toEqual(['SIGTERM']);
  vi.advanceTimersByTime(1);
  expect(signals()).toEqual(['SIGTERM', 'SIGKILL']);
  await ending;
  expect((await program.ended).message).toBe('sh ended with signal SIGKILL');
});

test('a folder of a desktop that nobody uses is removed when it is older than a minute', async () => {
  const folders = [55, 61].map((ageSeconds) => {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-desktop-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'left'));
    const atSeconds = Date.now() / 1_000 - ageSeconds;
    utimesSync(folder, atSeconds, atSeconds);
    return folder;
  });
  const own = await createDesktopFolder();
  onTestFinished(() => rmSync(own, { recursive: true }));
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, false]);
});
