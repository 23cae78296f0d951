import { expect, test } from 'vitest';
import { createMacNotifications } from '../../src/reach/channels.ts';

test('on a Mac the words of a notification are arguments of osascript, never a part of its script', async () => {
  const runs: { program: string; args: readonly string[] }[] = [];
  const channel = createMacNotifications(async (program, args) => void runs.push({ program, args }));
  const body = '" & (do shell script "id") & "';
  await channel.call({ id: 'a', title: 'Handrail needs your answer', body });
  const [run] = runs;
  expect(run?.program).toBe('/usr/bin/osascript');
  expect(run?.args.slice(-3)).toEqual(['--', body, 'Handrail needs your answer']);
  expect(run?.args.slice(0, -3).join(' ')).not.toContain('shell');
});
