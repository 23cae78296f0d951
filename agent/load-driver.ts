import type { Platform } from '../src/contract/device.ts';
import type { Driver } from './drivers/driver.ts';

/** The desktop this process is to work on; `undefined` where there is no driver for it. */
export function platformOf(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Platform | undefined {
  if (environment.HANDRAIL_AGENT_DRIVER === 'fake') return 'fake';
  if (platform === 'darwin') return 'macos';
  return platform === 'linux' ? 'linux' : undefined;
}

/** Loads one driver and nothing of the others. */
export function loadDriver(platform: Platform, environment: NodeJS.ProcessEnv): Promise<Driver> {
  return LOADERS[platform](environment);
}

const LOADERS: Record<Platform, (environment: NodeJS.ProcessEnv) => Promise<Driver>> = {
  fake: loadFake,
  linux: async (environment) => (await import('./drivers/linux/driver.ts')).createLinuxDriver(environment),
  macos: async () => (await import('./drivers/macos/driver.ts')).createMacosDriver(),
};

async function loadFake(environment: NodeJS.ProcessEnv): Promise<Driver> {
  const [{ createFakeDriver }, { readScenario }] = await Promise.all([
    import('./drivers/fake/driver.ts'),
    import('./drivers/fake/scenario.ts'),
  ]);
  return createFakeDriver(readScenario(environment.HANDRAIL_FAKE_SCENARIO));
}
