import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { type FakeScenario, readScenario } from '../../agent/drivers/fake/scenario.ts';

describe('the scenario of the fake driver', () => {
  test('a failure of the scenario takes the place of the outcome', async () => {
    const failure = { code: 'permission_missing', message: 'No.', sideEffect: 'none' } as const;
    const driver = createFakeDriver({ takeScreenshot: { beforeEffect: { failure } } });
    expect(await driver.takeScreenshot({}, unhurried())).toEqual({ ok: false, ...failure });
  });

  test('the ledger holds one line for each time an app was really asked to close', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'handrail-fake-'));
    const ledgerPath = join(folder, 'ledger');
    const driver = createFakeDriver({ ledgerPath, quitApp: { afterEffect: { delayMs: 60_000 } } });
    await driver.quitApp({ appName: 'Notes' }, unhurried());
    const controller = new AbortController();
    const quitting = driver.quitApp({ appName: 'Keyring' }, { signal: controller.signal, deadlineMs: 30_000 });
    await expect.poll(() => readFile(ledgerPath, 'utf8').catch(() => '')).toBe('{"happened":"quit","app":"Keyring"}\n');
    controller.abort('requested');
    expect(await quitting).toMatchObject({ ok: false, code: 'agent_unavailable', sideEffect: 'done' });
    await rm(folder, { recursive: true });
  });

  test('a broken driver rejects', async () => {
    const driver = createFakeDriver({ describeScreen: { afterEffect: { mishap: 'throw' } } });
    await expect(driver.describeScreen({}, unhurried())).rejects.toThrow('broken driver');
  });

  test('a delay ends when the driver is closed', async () => {
    const driver = createFakeDriver({ openApp: { beforeEffect: { delayMs: 60_000 } } });
    const opening = driver.openApp({ appName: 'Calculator' }, unhurried());
    await driver.close();
    expect(await opening).toMatchObject({ ok: false, sideEffect: 'none' });
  });

  test('it is read from JSON, and none means no wishes', () => {
    const scenario: FakeScenario = { screen: 'none', openApp: { afterEffect: { mishap: 'crash' } } };
    expect([readScenario(JSON.stringify(scenario)), readScenario(undefined)]).toEqual([scenario, {}]);
  });

  test('a misspelled wish is refused', () => {
    expect(() => readScenario('{"openApps":{}}')).toThrow('Expected a scenario of the fake driver');
  });
});

function unhurried() {
  return { signal: new AbortController().signal, deadlineMs: 30_000 };
}
