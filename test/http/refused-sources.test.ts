import { expect } from 'vitest';
import type { RiskSummary } from '../../src/contract/risk.ts';
import { pageHost } from '../../src/http/perimeter.ts';
import { startWhole, test, type WholeRig } from './whole-rig.ts';

test('a risk of refused web requests names the page that most of them came from, to the person alone', async () => {
  const rig = await startWhole();
  const person = await rig.signIn();
  for (let count = 0; count < 40; count += 1) {
    await rig.call('GET /health', { headers: { origin: 'https://evil.example:8443/path?secret=1' } });
  }
  await rig.call('GET /health', { headers: { origin: 'https://other.example' } });
  rig.clock.advance(1_000);
  const metadata = rig.store.journal
    .readAfter(0, 1_000)
    .flatMap(({ kind, metadata: facts }) => (kind === 'request.refused' ? [facts] : []));
  expect(metadata[0]).toEqual({ code: 'origin_not_allowed', count: 1, from: 'evil.example:8443' });
  expect(await heldSource(rig, person)).toEqual({ kind: 'origin', name: 'evil.example:8443' });
  expect(await heldSource(rig, {})).toBeNull();
});

test('a risk of wrong keys names the user id that was claimed', async ({ rig }) => {
  const person = await rig.signIn();
  rig.store.write('relaxed', () => {
    rig.store.users.see('ann', rig.clock.nowMs());
    rig.store.users.setKeyHash('ann', 'of another key');
  });
  for (let count = 0; count < 10; count += 1) {
    expect(await rig.call('GET /api/tee/actions', { headers: { 'x-user-id': 'ann' } })).toMatchObject({ status: 401 });
  }
  rig.clock.advance(1_000);
  expect(await heldSource(rig, person)).toEqual({ kind: 'requester', name: 'ann' });
  expect((await heldSource(rig, {}))?.name).toMatch(/^user-/);
});

test.each([
  ['the host and port, without path and query', { origin: 'https://a.example:8443/x?y=1' }, 'a.example:8443'],
  ['the page of a request without Origin', { referer: 'https://a.example/private?token=1' }, 'a.example'],
  ['names in other letters in ASCII', { origin: 'https://bücher.example' }, 'xn--bcher-kva.example'],
  [
    'nothing of an address with line feeds and marks for the direction of text',
    { origin: 'https://a\u202e\n.exa mple' },
    undefined,
  ],
  ['nothing of a hidden origin', { origin: 'null' }, undefined],
  ['the end of a very long name', { origin: `https://${'a.'.repeat(110)}example` }, `…${'a.'.repeat(46)}example`],
])('of the origin of a request the journal keeps %s', (_what, headers, host) => {
  expect(pageHost(headers)).toBe(host);
});

async function heldSource(
  rig: WholeRig,
  headers: Record<string, string>,
): Promise<RiskSummary['contributors'][number]['source']> {
  const reply = await rig.call('GET /api/guardian/dashboard', { headers });
  const { contributors } = reply.body.risk as RiskSummary;
  return contributors.find(({ cause }) => cause === 'controls_held')?.source ?? null;
}
