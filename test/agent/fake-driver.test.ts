import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { FAKE_DOCUMENT, FAKE_PASSWORD } from '../../agent/drivers/fake/desktop.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { type FakeScenario, readScenario } from '../../agent/drivers/fake/scenario.ts';
import { describeDriver } from './driver-contract.ts';

describeDriver('fake', async ({ screen }) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-fake-'));
  const ledgerPath = join(folder, 'ledger');
  const { driver, unsettled } = watched(createFakeDriver({ screen, ledgerPath }));
  return {
    driver,
    app: { name: 'Calculator', misspelled: 'Calculater' },
    windowlessApp: 'Night Light',
    brokenApp: 'Torn Shortcut',
    documentText: FAKE_DOCUMENT,
    password: FAKE_PASSWORD,
    showUnsavedApp: async () => ({ name: 'Text Editor', end: async () => undefined }),
    async showDeafApp() {
      await driver.openApp({ appName: 'Stopped Watch' }, unhurried());
      return { name: 'Stopped Watch', end: async () => undefined };
    },
    async startedPrograms() {
      const ledger = await readFile(ledgerPath, 'utf8').catch(() => '');
      return ledger.split('\n').filter((line) => line.includes('"launch"'));
    },
    leftovers: async () => unsettled(),
    dispose: () => rm(folder, { recursive: true }),
  };
});

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

/** The driver, and the names of its attempts that have not come to an end. */
function watched(driver: Driver): { driver: Driver; unsettled(): string[] } {
  const open = new Set<{ name: string }>();
  const watch = <Arguments extends unknown[], Result>(name: string, call: (...given: Arguments) => Promise<Result>) => {
    return async (...given: Arguments): Promise<Result> => {
      const attempt = { name };
      open.add(attempt);
      try {
        return await call(...given);
      } finally {
        open.delete(attempt);
      }
    };
  };
  return {
    driver: {
      platform: driver.platform,
      environment: () => driver.environment(),
      resolveApp: (...given) => driver.resolveApp(...given),
      resolveWindow: (...given) => driver.resolveWindow(...given),
      openApp: watch('openApp', (...given: Parameters<Driver['openApp']>) => driver.openApp(...given)),
      quitApp: watch('quitApp', (...given: Parameters<Driver['quitApp']>) => driver.quitApp(...given)),
      takeScreenshot: watch('takeScreenshot', (...given: Parameters<Driver['takeScreenshot']>) =>
        driver.takeScreenshot(...given),
      ),
      describeScreen: watch('describeScreen', (...given: Parameters<Driver['describeScreen']>) =>
        driver.describeScreen(...given),
      ),
      input: () => driver.input(),
      warmUp: () => driver.warmUp(),
      close: () => driver.close(),
    },
    unsettled: () => [...open].map(({ name }) => name),
  };
}
