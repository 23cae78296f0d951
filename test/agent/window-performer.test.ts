import { expect, test } from 'vitest';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import { performBy } from './perform-by.ts';
import { unhurried } from './unhurried.ts';

const driver = createFakeDriver();

function takeScreenshot(window?: ResolvedWindow) {
  const targets: Attempt['targets'] = window && [{ kind: 'window', windowId: window.id, window }];
  return performBy(driver, 'TakeScreenshot', { windowId: 'window-1' }, { targets });
}

test('A11: the agent captures no window by its id alone', async () => {
  expect(await takeScreenshot()).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  const found = await driver.resolveWindow({ windowId: 'window-1' }, unhurried());
  if (!found.ok) throw new Error(found.message);
  expect(await takeScreenshot(found.data)).toMatchObject({ ok: true });
});
