import { expect, test } from 'vitest';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';
import { PERFORMERS } from '../../agent/performers.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';

const driver = createFakeDriver();

function takeScreenshot(window?: ResolvedWindow) {
  const targets: Attempt['targets'] = window && [{ kind: 'window', windowId: window.id, window }];
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000, targets };
  const parameters = { windowId: 'window-1' };
  return PERFORMERS.get('TakeScreenshot')?.({
    parameters,
    attempt,
    driver: async () => driver,
  });
}

test('A11: the agent captures no window by its id alone', async () => {
  expect(await takeScreenshot()).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000 };
  const found = await driver.resolveWindow({ windowId: 'window-1' }, attempt);
  if (!found.ok) throw new Error(found.message);
  expect(await takeScreenshot(found.data)).toMatchObject({ ok: true });
});
