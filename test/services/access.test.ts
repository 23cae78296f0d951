import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/console.ts';
import type { ResolvedApp } from '../../src/contract/screen.ts';
import { answerFirst, decide, firstPrompt, hold, show } from './answers.ts';
import { CLICK, control, doneBy, MOUSEPAD, submitOn } from './hands.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { submittedTask } from './tasks-rig.ts';

const INPUT = { apps: ['Mousepad'], allow: 'input', minutes: 60 };
const HIGH = { level: 'high' as const, reason: 'It is a terminal.' };
const BOUNDS = { x: 0, y: 0, width: 9, height: 9 };
const WINDOW = { id: '0x1', app: 'Mousepad', pid: 7, title: 'notes', bounds: BOUNDS, identity: MOUSEPAD };

const look = (parameters: object) => ({
  actionType: 'DescribeScreen',
  parameters: { contents: true, format: 'text', ...parameters },
});

function rigWith(app: ResolvedApp = MOUSEPAD): Rig {
  const rig = startServices();
  rig.agent.apps.set('Mousepad', done({ data: app }));
  return rig;
}

/** Asks for access, has it allowed, and has the agent carry it out. */
async function withAccess(rig: Rig, parameters: Record<string, unknown> = INPUT): Promise<Rig> {
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  expect(answerFirst(rig, 'allow')).toMatchObject({ status: 'running' });
  await rig.agent.answer(done());
  return rig;
}

test('access that was allowed once lets clicks, keys and texts in that app through, and counts them', async () => {
  const rig = await withAccess(rigWith());
  const typed = { actionType: 'TypeText', parameters: { text: 'hello' } };
  const keys = { actionType: 'PressKeys', parameters: { keys: 'ctrl+b' } };
  for (const body of [CLICK, typed, keys]) {
    expect(await submitOn(rig, body)).toMatchObject({ status: 'running' });
    await rig.agent.answer(done());
  }
  expect(rig.services.console.grants.list()).toMatchObject([
    {
      userId: 'ann',
      actionType: 'RequestAccess',
      useCount: 3,
      constraint:
        '{"allow":"input","app":{"alsoKnownAs":["mousepad"],"appName":"Mousepad","bundleId":"org.xfce.mousepad.desktop"}}',
      literal: expect.stringMatching(
        /^“ann” may click and type in “Mousepad” \(org\.xfce\.mousepad\.desktop\) on "Hands" until \d\d:\d\d, or until Handrail quits\.$/u,
      ),
    },
  ]);
  expect(rig.kinds()).toContain('grant.created');
});

function countersOf({ clock, store }: Rig) {
  const nowMs = clock.nowMs();
  return store.recording.recorded({ fromMs: 0, toMs: nowMs + 60_000 }, nowMs).rollup.counters;
}

test('an action that an access let through counts as that access: it is no elevated request and no use of a standing grant', async () => {
  const rig = await withAccess(rigWith());
  const { requestedMedium } = countersOf(rig);
  for (let count = 0; count < 60; count += 1) {
    expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'running' });
    await rig.agent.answer(done());
  }
  expect(countersOf(rig)).toMatchObject({
    requestedByAccess: 60,
    requestedMedium,
    executedByGrant: 0,
    executedUndecided: 0,
  });
  expect(rig.services.guardian.telemetry({ kind: 'person' }, { lengthMs: 3_600_000 }).actions.byRisk).toMatchObject({
    medium: 60 + requestedMedium,
  });
  rig.services.watch();
  rig.clock.advance(60_000);
  const titles = rig.services.guardian.insights({ kind: 'person' }, { limit: 50 }).map(({ title }) => title);
  expect(titles.filter((title) => title.includes('grant'))).toEqual([]);
});

test('its prompt says what the approval gives, offers nothing longer, and no profile answers it', async () => {
  const rig = rigWith();
  rig.services.console.profiles.assign('ann', 'trusted');
  await submitOn(rig, { actionType: 'RequestAccess', parameters: INPUT });
  expect(firstPrompt(rig).scopes).toEqual([
    {
      scope: 'once',
      grant:
        '“ann” may click and type in “Mousepad” (org.xfce.mousepad.desktop) on "Hands" for 1 hour, or until Handrail quits.',
    },
  ]);
  expect(answerFirst(rig, 'allow', 'untilQuit')).toMatchObject({ refused: 'validation_failed' });
});

test.each([
  ['a control that sends', CLICK, { name: 'Send' }],
  ['a control in a script that nobody here can judge', CLICK, { name: 'Удалить' }],
  ['Return where the default button deletes', press('enter'), { role: 'textbox', defaultButton: 'Delete' }],
  ['a chord that quits', press('ctrl+q'), {}],
  ['another app of the same name', CLICK, { app: { ...MOUSEPAD, bundleId: 'evil.desktop' } }],
  ['an app that turned out to be a terminal', CLICK, { app: { ...MOUSEPAD, appName: 'Terminal' } }],
  ['an app with a risk of its own', CLICK, { app: { ...MOUSEPAD, risks: [HIGH] } }],
])('N3, N7: with access, %s still asks', async (_what, body, overrides) => {
  const rig = await withAccess(rigWith());
  expect(await submitOn(rig, body, [control(overrides)])).toMatchObject({ status: 'awaiting_confirmation' });
});

function press(keys: string) {
  return { actionType: 'PressKeys', parameters: { keys } };
}

test.each([
  ['a password field', { actionType: 'TypeText', parameters: { text: 'x' } }, { isPassword: true }],
  ['a window or page of Handrail', CLICK, { isOwn: true }],
])('N4: with access, %s is blocked', async (_what, body, overrides) => {
  const rig = await withAccess(rigWith());
  expect(await submitOn(rig, body, [control(overrides)])).toMatchObject({ status: 'blocked' });
});

const { identity: _, ...UNKNOWN_WINDOW } = WINDOW;

test.each([
  ['look', 'awaiting_confirmation'],
  ['input', 'running'],
])('access to %s lets pictures of its windows through, and of no other; a click is %s', async (allow, status) => {
  const rig = await withAccess(rigWith(), { ...INPUT, allow });
  const picture = { actionType: 'TakeScreenshot', parameters: { windowId: '0x1' } };
  expect(await submitOn(rig, picture, [WINDOW])).toMatchObject({ status: 'running' });
  expect(await submitOn(rig, picture, [UNKNOWN_WINDOW])).toMatchObject({ status: 'awaiting_confirmation' });
  expect(await submitOn(rig, CLICK)).toMatchObject({ status });
});

test.each(['look', 'input'])(
  'N22: access to %s lets the texts of one of its windows through, and no others',
  async (use) => {
    const rig = await withAccess(rigWith(), { ...INPUT, allow: use });
    expect(await submitOn(rig, look({ region: '0x1' }), [WINDOW])).toMatchObject({ status: 'running' });
    const terminal = { ...WINDOW, id: '0x2', app: 'xterm', identity: { ...MOUSEPAD, appName: 'xterm' } };
    const asks = { status: 'awaiting_confirmation' };
    expect(await submitOn(rig, look({ region: '0x2' }), [terminal])).toMatchObject(asks);
    expect(firstPrompt(rig).prompt.sentence).toBe('Read the texts of the window “notes” of “xterm”, 9 × 9');
    expect(firstPrompt(rig).scopes.map(({ scope }) => scope)).toEqual(['once']);
    expect(await submitOn(rig, look({}))).toMatchObject(asks);
    expect(await submitOn(rig, look({ region: '@3' }))).toMatchObject(asks);
  },
);

test('a grant for the whole look covers the texts of one window', async () => {
  const rig = rigWith();
  await submitOn(rig, look({}), []);
  answerFirst(rig, 'allow', 'minutes15');
  expect((await submitOn(rig, look({ region: '0x1' }), [WINDOW])).status).toMatch(/running|queued/u);
});

test('N7: access of one requester is none of another', async () => {
  const rig = await withAccess(rigWith());
  expect(await submitOn(rig, CLICK, [control()], 'bob')).toMatchObject({ status: 'awaiting_confirmation' });
});

test('N7: access ends after its minutes', async () => {
  const rig = await withAccess(rigWith(), { ...INPUT, minutes: 5 });
  rig.clock.advance(5 * 60_000 - 1);
  expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'running' });
  await rig.agent.answer(done());
  rig.clock.advance(1);
  expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(rig.services.console.grants.list()).toEqual([]);
});

test.each([
  ['as long', 60, 60],
  ['shorter', 60, 5],
  ['longer', 5, 60],
])(
  'N7: access that is given again, %s, stays one grant until the later end, and one revocation ends it',
  async (_how, first, second) => {
    const rig = await withAccess(rigWith(), { ...INPUT, minutes: first });
    const endsMs = [rig.clock.nowMs() + first * 60_000];
    expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'running' });
    await rig.agent.answer(done());
    rig.clock.advance(60_000);
    await withAccess(rig, { ...INPUT, minutes: second });
    endsMs.push(rig.clock.nowMs() + second * 60_000);
    const { grants } = rig.services.console;
    expect(grants.list()).toMatchObject([{ expiresAt: new Date(Math.max(...endsMs)).toISOString() }]);
    rig.clock.advance(Math.max(...endsMs) - rig.clock.nowMs() - 1_000);
    const [{ id } = { id: '' }] = grants.list();
    expect(grants.revoke(id)).toBeUndefined();
    expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'awaiting_confirmation' });
  },
);

test('N7: access that is revoked ends at once, also for what has not been sent', async () => {
  const rig = await withAccess(rigWith());
  await submitOn(rig, CLICK);
  const waiting = await submitOn(rig, { ...CLICK, parameters: { elementId: 'e2' } });
  expect(waiting).toMatchObject({ status: 'queued' });
  const [grant] = rig.services.console.grants.list();
  rig.services.console.grants.revoke(String(grant?.id));
  await rig.sent();
  expect(rig.services.actions.get('ann', waiting.actionId)).not.toMatchObject({ status: 'queued' });
  expect(doneBy(rig).filter(({ actionType }) => actionType === 'Click')).toHaveLength(1);
  expect(await submitOn(rig, { ...CLICK, parameters: { elementId: 'e3' } })).toMatchObject({
    status: 'awaiting_confirmation',
  });
});

test('access does not outlive the daemon', async () => {
  const rig = (await withAccess(rigWith())).crashAndRestart();
  expect(rig.services.console.grants.list()).toEqual([]);
});

test('clicks that wait for the person go once access to their app is given', async () => {
  const rig = rigWith();
  const click = await submitOn(rig, CLICK);
  await submitOn(rig, { actionType: 'RequestAccess', parameters: INPUT });
  const sentences = rig.services.console.confirmations.list().map(({ prompt }) => prompt.sentence);
  expect(sentences).toContainEqual(expect.stringContaining('1 hour'));
  expect(decide(rig, 'deny')).toMatchObject({ actionId: click.actionId });
  const waiting = await submitOn(rig, { ...CLICK, parameters: { elementId: 'e2' } }, [control({ name: 'Italic' })]);
  expect(answerFirst(rig, 'allow')).toMatchObject({ actionType: 'RequestAccess' });
  await rig.agent.answer(done());
  await rig.sent();
  rig.clock.advance(10);
  expect(rig.services.actions.get('ann', waiting.actionId)).toMatchObject({ status: 'running' });
});

test('access that the agent could not confirm is not given', async () => {
  const rig = rigWith();
  await submitOn(rig, { actionType: 'RequestAccess', parameters: INPUT });
  answerFirst(rig, 'allow');
  await rig.agent.answer(notDone({ code: 'target_changed' }));
  expect(rig.services.console.grants.list()).toEqual([]);
});

test.each([
  ['by what it is', { ...MOUSEPAD, risks: [HIGH] }],
  ['by its name', { ...MOUSEPAD, appName: 'KeePassXC' }],
  ['because it is Handrail', { ...MOUSEPAD, alsoKnownAs: ['Handrail'] }],
  ['because it shows another screen', { ...MOUSEPAD, alsoKnownAs: ['scrcpy'] }],
])('access to an app that is sensitive %s is blocked', async (_why, app) => {
  const rig = rigWith(app);
  expect(await submitOn(rig, { actionType: 'RequestAccess', parameters: INPUT })).toMatchObject({ status: 'blocked' });
});

test('a device that says it has no input gets no access', async () => {
  const rig = rigWith();
  const targetDeviceId = rig.deviceOf('ann', { canControlInput: false });
  const body = { targetDeviceId, actionType: 'RequestAccess', parameters: INPUT };
  expect(await rig.submit(body)).toMatchObject({ refused: 'capability_missing' });
});

describe('the person gives less than was asked for', () => {
  const FILES: ResolvedApp = { appName: 'Files', alsoKnownAs: ['nautilus'], risks: [] };
  const BOTH = { apps: ['Mousepad', 'Files'], allow: 'input', minutes: 480 };

  async function asking(parameters: Record<string, unknown> = BOTH): Promise<Rig> {
    const rig = rigWith();
    rig.agent.apps.set('Files', done({ data: FILES }));
    await submitOn(rig, { actionType: 'RequestAccess', parameters });
    return rig;
  }

  function allowUnheld(rig: Rig) {
    show(rig, 3_000);
    return decide(rig, 'allow');
  }

  function allowPart(rig: Rig, access: Decision['access'] & {}) {
    show(rig);
    hold(rig, 1_100);
    return decide(rig, 'allow', { access });
  }

  test('the agent is sent the shorter access to fewer apps, and the grant is for no more', async () => {
    const rig = await asking();
    expect(firstPrompt(rig).prompt).toMatchObject({
      sentence: 'Click and type in “Mousepad” and “Files” for 8 hours',
      access: { apps: ['Mousepad', 'Files'], minutes: 480 },
    });
    expect(allowPart(rig, { apps: ['Files'], minutes: 15 })).toMatchObject({ status: 'running' });
    expect(doneBy(rig).at(-1)).toMatchObject({ parameters: { apps: ['Files'], minutes: 15 } });
    await rig.agent.answer(done());
    const [grant, ...others] = rig.services.console.grants.list();
    expect([grant?.literal, others]).toEqual([expect.stringContaining('“Files”'), []]);
    expect(Date.parse(grant?.expiresAt ?? '') - rig.clock.nowMs()).toBe(15 * 60_000);
  });

  test.each([
    { apps: ['Mousepad'], minutes: 481 },
    { apps: ['Mousepad', 'Terminal'], minutes: 15 },
  ])('N51: more than was asked for is refused: %j', async (access) => {
    const rig = await asking();
    expect(allowPart(rig, access)).toMatchObject({ refused: 'validation_failed' });
    expect(doneBy(rig)).toEqual([]);
  });

  test.each([
    [{ ...INPUT, minutes: 60 }, false],
    [{ ...INPUT, minutes: 61 }, true],
    [{ apps: ['Mousepad'], allow: 'input', minutes: 5, sites: ['mail.example.org'] }, true],
  ])('N51: above an hour, and for sites, it needs the hold: %j', async (parameters, presenceRequired) => {
    const rig = await asking(parameters);
    expect(firstPrompt(rig)).toMatchObject({ presenceRequired });
    if (presenceRequired) expect(allowUnheld(rig)).toMatchObject({ refused: 'confirmation_not_ready' });
  });

  test('N51: as a step of a plan it needs the hold too', async () => {
    const rig = rigWith();
    const step = { id: 'access', actionType: 'RequestAccess', parameters: { ...INPUT, minutes: 480 } };
    await submittedTask(rig, [step, { id: 'wait' }]);
    expect(firstPrompt(rig)).toMatchObject({ kind: 'plan', presenceRequired: true });
    expect(allowUnheld(rig)).toMatchObject({ refused: 'confirmation_not_ready' });
  });
});
