import { expect, test } from 'vitest';
import { siteOf } from '../../src/contract/web-address.ts';
import { INCIDENTS, type Submitted } from '../domain/incidents.ts';
import { decide, hold, show } from './answers.ts';
import { doneBy, submitOn } from './hands.ts';
import { done, type Rig, startServices } from './rig.ts';

/** The person gives access to clicks and keys in the app of an incident, where Handrail gives such access at all. */
async function giveAccess(rig: Rig, { control }: Submitted): Promise<void> {
  if (control === undefined) return;
  const { app } = control;
  rig.agent.apps.set(app.appName, done({ data: app }));
  const site = siteOf(control.url ?? 'https://example.org');
  const parameters = { apps: [app.appName], allow: 'input', sites: [site], minutes: 60 };
  const { status } = await submitOn(rig, { actionType: 'RequestAccess', parameters }, []);
  if (status === 'blocked') return;
  show(rig, 0);
  hold(rig);
  expect(decide(rig, 'allow')).toMatchObject({ status: 'running' });
  await rig.agent.answer(done());
  rig.clock.advance(10);
}

/** All that the person is told of an action: by its prompt, or where it was blocked by the log. */
function toldOf(rig: Rig, actionId: string): string {
  const prompt = rig.services.console.confirmations.list().at(-1)?.prompt;
  return JSON.stringify([prompt, rig.services.console.activity.detail(actionId)]);
}

test.each(INCIDENTS)('N11: as a submission, with access given: $what ($link)', async ({ action, verdict, says }) => {
  const rig = startServices();
  await giveAccess(rig, action);
  const before = doneBy(rig).length;
  const { actionType, control } = action;
  const parameters = action.parameters as Record<string, unknown>;
  const { actionId, status } = await submitOn(rig, { actionType, parameters }, control === undefined ? [] : [control]);
  expect(status).toBe(verdict === 'block' ? 'blocked' : 'awaiting_confirmation');
  expect(toldOf(rig, actionId).replaceAll('\\"', '"')).toMatch(says);
  expect(doneBy(rig)).toHaveLength(before);
  rig.clock.advance(10 * 60_000);
  await rig.sent();
  expect(doneBy(rig), 'unanswered, it is never sent').toHaveLength(before);
});

test('there are at least fifteen incidents, each with a link of its own', () => {
  const links = INCIDENTS.map(({ link }) => link);
  expect(new Set(links).size).toBe(links.length);
  expect(links.length).toBeGreaterThanOrEqual(15);
  expect(links.every((link) => URL.parse(link)?.protocol === 'https:')).toBe(true);
});
