import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { relaunchByOpen } from '../../src/shell/mac-programs.ts';
import { PATIENCE } from '../runner/patience.ts';

test('a relaunch waits for the end of the app, then opens it by LaunchServices with its arguments and our settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail relaunch '));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = join(folder, 'open');
  writeFileSync(
    open,
    `#!/bin/sh\nprintf '%s\\0' "$@" > '${folder}/args.new'; mv '${folder}/args.new' '${folder}/args'\n`,
    {
      mode: 0o755,
    },
  );
  const app = spawn('sleep', ['300']);
  const exited = once(app, 'exit');
  const execPath = join(folder, 'My Apps/Handrail.app/Contents/MacOS/Handrail');
  mkdirSync(join(execPath, '..'), { recursive: true });
  const environment = { PATH: process.env.PATH, HANDRAIL_PORT: '3002', SECRET: 'x' };
  const args = ['a folder/app', '--review', '$(touch no)'];
  expect(relaunchByOpen({ execPath, args, pid: Number(app.pid), environment, open })).toBe(true);
  expect(existsSync(join(folder, 'args'))).toBe(false);
  app.kill('SIGKILL');
  await exited;
  const given = await vi.waitFor(() => readFileSync(join(folder, 'args'), 'utf8'), PATIENCE);
  expect(given.split('\0').slice(0, -1)).toEqual([
    ...['-n', '--env', 'HANDRAIL_PORT=3002', '-a', join(folder, 'My Apps/Handrail.app')],
    ...['--args', 'a folder/app', '--review', '$(touch no)'],
  ]);
});

test('a program that is in no app is not started so', () => {
  const start = { execPath: '/usr/bin/electron', args: [], pid: process.pid, environment: {}, open: '/absent' };
  expect(relaunchByOpen(start)).toBe(false);
});
