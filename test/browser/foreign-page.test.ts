import { afterAll, beforeAll } from 'vitest';
import { openFakeTarget } from '../http/attacks/fake-target.ts';
import type { Target } from '../http/attacks/target.ts';
import { foreignPageAttacks } from './foreign-page-attacks.ts';

let opened: Awaited<ReturnType<typeof openFakeTarget>>;

beforeAll(async () => {
  opened = await openFakeTarget();
});
afterAll(() => opened.rig.app.close());

/** Refusals are forgotten once they were asked for, so that each attempt must cause its own. */
foreignPageAttacks(
  (): Target => ({
    ...opened.target,
    wasCounted: (code) => opened.rig.services.refusals.splice(0).includes(code),
  }),
);
