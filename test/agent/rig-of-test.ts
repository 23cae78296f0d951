import { afterEach, beforeEach, vi } from 'vitest';

/** A rig of each test's own: whatever is asked of the answer is asked of that of the running test. */
export function rigOfTest<Rig extends { remove(): void }>(create: () => Rig): Rig {
  let rig: Rig;
  beforeEach(() => {
    rig = create();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rig.remove();
  });
  return new Proxy({} as Rig, { get: (_, name) => Reflect.get(rig, name) });
}
