import { expect } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ResolvedApp } from '../../src/contract/screen.ts';
import { answerFirst, firstPrompt } from './answers.ts';
import { doneBy, submitOn } from './hands.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';

const CHROMIUM: ResolvedApp = {
  appName: 'Chromium Web Browser',
  bundleId: 'chromium',
  alsoKnownAs: ['chromium'],
  risks: [],
};
const SHORT = 'https://example.org/news';

/** The person gave access to the browser. */
async function withAccess({ use = 'input', app = CHROMIUM }: { use?: 'look' | 'input'; app?: ResolvedApp } = {}) {
  const sites = use === 'input' ? { sites: ['example.org', '127.0.0.1:8765'] } : {};
  const rig = startServices();
  rig.agent.apps.set('Chromium', done({ data: app }));
  await submitOn(rig, {
    actionType: 'RequestAccess',
    parameters: { apps: ['Chromium'], allow: use, ...sites, minutes: 60 },
  });
  answerFirst(rig, 'allow');
  await rig.agent.answer(done());
  return rig;
}

type Opening = { url?: string; opener?: ResolvedApp | undefined; userId?: string };

function open(rig: Rig, opening: Opening = {}): Promise<Action> {
  const { url = SHORT, userId = 'ann' } = opening;
  const opener = 'opener' in opening ? opening.opener : CHROMIUM;
  return submitOn(rig, { actionType: 'OpenUrl', parameters: { url } }, [{ opener }], userId);
}

const BY_LEVEL = { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' } as const;
const ASKS = { status: 'awaiting_confirmation' };

test('with access to the browser, a short address opens without a question, and the agent gets the app that was judged', async () => {
  const rig = await withAccess();
  expect(await open(rig)).toMatchObject({ status: 'running', risk: { level: 'medium' } });
  expect(doneBy(rig).at(-1)).toMatchObject({
    actionType: 'OpenUrl',
    targets: [{ kind: 'opener', scheme: 'https', app: CHROMIUM }],
  });
  const used = rig.services.console.grants.list().filter(({ useCount }) => useCount === 1);
  expect(used).toMatchObject([{ actionType: 'RequestAccess', constraint: expect.stringContaining('"example.org"') }]);
});

test('without access it asks, and the prompt names the app that opens the address', async ({ rig }) => {
  expect(await open(rig)).toMatchObject(ASKS);
  expect(firstPrompt(rig).prompt.sentence).toBe(`Open “${SHORT}” with “Chromium Web Browser”`);
});

test('N18: an address asks where nobody can tell which app opens it', async () => {
  const rig = await withAccess();
  expect(await open(rig, { opener: undefined })).toMatchObject(ASKS);
  expect(firstPrompt(rig).prompt.sentence).toBe(`Open “${SHORT}”`);
});

test.each([
  ['a mail address', 'mailto:ann@example.org'],
  ['another site', 'https://example.com/'],
  ['a part of the site', 'https://mail.example.org/'],
  ['another port', 'http://127.0.0.1:3001/'],
  ['a host that looks like the site', 'https://ехample.org/'],
  ['201 characters', 'https://example.org/'.padEnd(201, 'a')],
  ['a password', 'https://example.org/?pwd=hunter22'],
  ['a word that pays', 'https://example.org/transfer?amount=100'],
])('N18: with access, an address with %s still asks', async (_what, url) => {
  expect(await open(await withAccess(), { url })).toMatchObject(ASKS);
});

test.each([
  ['another app of the same name', { ...CHROMIUM, bundleId: 'evil' }],
  ['an app that more programs stand behind', { ...CHROMIUM, alsoKnownAs: ['chromium', 'evil'] }],
  ['a terminal', { ...CHROMIUM, appName: 'xterm' }],
  ['an app that any program can change', { ...CHROMIUM, risks: [{ level: 'medium' as const, reason: 'Any.' }] }],
])('N18: with access, an address that %s opens still asks', async (_what, opener) => {
  expect(await open(await withAccess(), { opener })).toMatchObject(ASKS);
});

test('N18: an app that asks before it is opened asks before it opens an address, though access to it was given', async () => {
  const app = { ...CHROMIUM, risks: [{ level: 'medium' as const, reason: 'Any program can change it.' }] };
  expect(await open(await withAccess({ app }), { opener: app })).toMatchObject(ASKS);
});

test('N18: access to look opens no address, and access of one requester opens none for another', async () => {
  expect(await open(await withAccess({ use: 'look' }))).toMatchObject(ASKS);
  expect(await open(await withAccess(), { userId: 'bob' })).toMatchObject(ASKS);
});

test.each([
  ['Handrail', { ...CHROMIUM, alsoKnownAs: ['Handrail'] }],
  ['an app that shows another screen', { ...CHROMIUM, alsoKnownAs: ['scrcpy'] }],
])('N18: an address that %s would open is blocked', async (_what, opener) => {
  expect(await open(startServices(), { opener })).toMatchObject({ status: 'blocked' });
});

test('a profile that allows the browser was not made for addresses, and one that blocks it holds for them', async () => {
  const under = (verdict: 'allow' | 'block') => {
    const rig = startServices();
    const rules = [{ verdict, apps: [CHROMIUM.appName] }];
    rig.services.console.profiles.put({ name: 'surfer', byLevel: BY_LEVEL, rules });
    rig.services.console.profiles.assign('ann', 'surfer');
    return rig;
  };
  expect(await open(under('allow'))).toMatchObject(ASKS);
  expect(await open(under('block'))).toMatchObject({ status: 'blocked' });
});

test('an address that waits for the person opens once access to the browser is given', async ({ rig }) => {
  rig.agent.apps.set('Chromium', done({ data: CHROMIUM }));
  const parameters = { apps: ['Chromium'], allow: 'input', sites: ['example.org'], minutes: 60 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  const waiting = await open(rig);
  expect(waiting).toMatchObject(ASKS);
  answerFirst(rig, 'allow');
  await rig.agent.answer(done());
  await rig.sent();
  rig.clock.advance(10);
  expect(rig.services.actions.get('ann', waiting.actionId)).toMatchObject({ status: 'running' });
});

test('an address fails, and asks nobody, where the agent does not look', async ({ rig }) => {
  const failed = notDone({ code: 'agent_unavailable' });
  const body = { actionType: 'OpenUrl', parameters: { url: SHORT } };
  expect(await submitOn(rig, body, [failed])).toMatchObject({ status: 'failed', error: { code: 'agent_unavailable' } });
});
