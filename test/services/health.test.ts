import { expect } from 'vitest';
import { test } from './rig.ts';

test('health is degraded in its checks while the agent is offline, and ok while the agent starts', ({ rig }) => {
  expect(rig.services.health()).toMatchObject({
    status: 'ok',
    checks: { overall: 'ok', store: 'ok', agent: 'online', desktop: 'ok', processes: 'ok', scripts: 'available' },
  });
  rig.agent.become('starting');
  expect(rig.services.health().checks).toEqual({
    overall: 'ok',
    store: 'ok',
    agent: 'starting',
    desktop: 'ok',
    processes: 'ok',
    scripts: 'available',
  });
  rig.agent.become('offline');
  expect(rig.services.health()).toMatchObject({
    status: 'ok',
    checks: {
      overall: 'degraded',
      store: 'ok',
      agent: 'offline',
      desktop: 'ok',
      processes: 'ok',
      scripts: 'available',
    },
  });
});
