import { expect, test } from 'vitest';
import { identityOf, refuseChangedWindow } from '../../agent/drivers/expected-window.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';

const TOLD: ResolvedWindow = {
  id: '0x1',
  app: 'Bank',
  pid: 7,
  title: 'account',
  bounds: { x: 1, y: 2, width: 30, height: 40 },
};

test.each<[string, Partial<ResolvedWindow>]>([
  ['its app', { app: 'Mail' }],
  ['its process', { pid: 8 }],
  ['its title', { title: 'Password reset code' }],
  ['its size', { bounds: { ...TOLD.bounds, width: 31 } }],
  ['its size', { bounds: { ...TOLD.bounds, height: 41 } }],
  ['its place', { bounds: { ...TOLD.bounds, x: 0 } }],
  ['its place', { bounds: { ...TOLD.bounds, y: 3 } }],
])('A11: a window is refused when one fact differs from the prompt: %s, %j', (fact, change) => {
  const refusal = refuseChangedWindow(TOLD, { ...TOLD, ...change });
  expect(refusal).toMatchObject({
    code: 'target_changed',
    message: expect.stringContaining(`Changed: ${fact}. Nothing was done.`),
    sideEffect: 'none',
  });
  expect(JSON.stringify(refusal)).not.toMatch(/Mail|Password/);
});

test('a window that is as the person was told is not refused', () => {
  expect(refuseChangedWindow(TOLD, structuredClone(TOLD))).toBeNull();
});

test('of the title of a window 1,000 characters are compared and told, and of the name of its app 200', () => {
  const { app, title } = identityOf({ ...TOLD, app: 'a'.repeat(201), title: 't'.repeat(1_001) });
  expect([app.length, title.length]).toEqual([200, 1_000]);
});
