import { expect, test } from 'vitest';
import { startServices } from '../services/rig.ts';
import { startRig } from './rig.ts';

test('GET /metrics tells what happened and how it stands, in the Prometheus text format', async () => {
  const services = startServices();
  const rig = await startRig({ guardian: services.services.guardian });
  await services.submitted({ parameters: { durationMs: 5 } });
  const { headers, lines } = await scrape(rig.url);
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(lines).toEqual(
    expect.arrayContaining([
      'handrail_events_total{event="requested"} 1',
      'handrail_events_total{event="executed"} 1',
      'handrail_action_requests_total{action_type="Wait"} 1',
      'handrail_agent_online 1',
      'handrail_store_writable 1',
    ]),
  );
});

test('what is counted twice is not doubled by being asked for twice', async () => {
  const rig = await startRig();
  await scrape(rig.url);
  expect((await scrape(rig.url)).lines).toContain('handrail_events_total{event="requested"} 3');
});

test('no user, device or text of a caller is a label', async () => {
  const services = startServices();
  const rig = await startRig({ guardian: services.services.guardian });
  await services.submit(
    { actionType: 'OpenApp', parameters: { appName: 'Zinnober' }, reason: 'zinnober' },
    { userId: 'ann', waitMs: 0 },
  );
  await services.submit({ actionType: 'Zinnober' }, { userId: 'ann', waitMs: 0 });
  services.clock.advance(60_000);
  const { lines } = await scrape(rig.url);
  expect(lines.filter((line) => /zinnober|"ann"|dev_/i.test(line))).toEqual([]);
  const labels = lines.flatMap((line) => /\{(\w+)=/.exec(line)?.[1] ?? []);
  expect([...new Set(labels)].toSorted()).toEqual(['action_type', 'event', 'type']);
});

async function scrape(url: string): Promise<{ headers: Headers; lines: string[] }> {
  const response = await fetch(`${url}/metrics`);
  return { headers: response.headers, lines: (await response.text()).split('\n') };
}
