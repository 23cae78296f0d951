import { describe, expect } from 'vitest';
import type { ProfileRule } from '../../src/contract/profile.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { answerFirst, decide, firstPrompt, show } from './answers.ts';
import { fillDisk } from './full-disk.ts';
import { done, fillDesktop, notDone, type Rig, startServices, test } from './rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const wait = { actionType: 'Wait', parameters: { durationMs: 0 } };

const deny = (rig: Rig) => decide(rig, 'deny');

describe('profiles', () => {
  const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' } as const;

  test.each([
    ['observe', 'blocked'],
    ['assist', 'awaiting_confirmation'],
    ['trusted', 'running'],
    ['lockdown', 'awaiting_confirmation'],
  ])('a screenshot under %s is %s', async (profile, status) => {
    const rig = startServices();
    rig.services.console.profiles.assign('ann', profile);
    expect((await rig.submitted(screenshot)).status).toBe(status);
  });

  test('a profile for everybody applies to whom none was assigned', async ({ rig }) => {
    rig.services.console.profiles.assign('*', 'lockdown');
    expect((await rig.submitted(wait)).status).toBe('awaiting_confirmation');
    rig.services.console.profiles.assign('ann', 'assist');
    expect((await rig.submitted(wait)).status).toBe('running');
  });

  test('the person’s own profile, with a rule, outlives a restart', async ({ rig }) => {
    const rules: ProfileRule[] = [{ verdict: 'block', actionTypes: ['Wait'] }];
    rig.services.console.profiles.put({ name: 'office', byLevel, rules });
    rig.services.console.profiles.assign('ann', 'office');
    const after = rig.crashAndRestart();
    expect((await after.submitted(wait)).status).toBe('blocked');
  });

  test('a rate cap counts this user’s submissions of the last minute', async ({ rig }) => {
    rig.services.console.profiles.put({ name: 'slow', byLevel, rules: [{ verdict: 'block', morePerMinuteThan: 2 }] });
    rig.services.console.profiles.assign('ann', 'slow');
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await rig.submitted(wait)).status);
    rig.clock.advance(60_001);
    statuses.push((await rig.submitted(wait)).status);
    expect(statuses).toEqual(['running', 'running', 'blocked', 'running']);
  });

  test('a submission may name a narrower profile, and never a wider one', async ({ rig }) => {
    expect((await rig.submitted({ ...screenshot, profile: 'observe' })).status).toBe('blocked');
    expect((await rig.submitted({ ...screenshot, profile: 'trusted' })).status).toBe('awaiting_confirmation');
    expect(await rig.submit({ ...wait, profile: 'nonsense' })).toMatchObject({ refused: 'validation_failed' });
  });

  test('a built-in one cannot be changed, and one in use not be removed', ({ rig }) => {
    const { profiles } = rig.services.console;
    expect(profiles.put({ name: 'assist', byLevel, rules: [] })).toMatchObject({ refused: 'validation_failed' });
    profiles.put({ name: 'mine', byLevel, rules: [] });
    profiles.assign('ann', 'mine');
    expect(profiles.remove('mine')).toMatchObject({ refused: 'validation_failed' });
    profiles.assign('ann', 'assist');
    expect(profiles.remove('mine')).not.toHaveProperty('refused');
  });

  test('a change of the rules voids a prompt that was given under the old ones', async ({ rig }) => {
    await rig.submitted(screenshot);
    const prompt = firstPrompt(rig);
    show(rig, 1_000);
    rig.services.console.profiles.assign('ann', 'lockdown');
    expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_stale' });
    expect(decide(rig, 'deny', {}, prompt)).toMatchObject({ status: 'denied' });
  });

  test('a change of the rules calls off what was let through under the old ones and not sent', async ({ rig }) => {
    await rig.submitted(screenshot);
    rig.agent.become('offline');
    const approved = answerFirst(rig, 'allow') as { actionId: string };
    rig.services.console.profiles.assign('ann', 'observe');
    rig.agent.become('online');
    expect(rig.agent.sent).toEqual([]);
    expect(rig.services.actions.get('ann', approved.actionId)).toMatchObject({ status: 'cancelled' });
  });

  test('what waits for the agent is judged by the rules there are when it comes', async ({ rig }) => {
    rig.agent.become('starting');
    const answers = [rig.submit(wait), rig.submit({ actionType: 'OpenApp', parameters: { appName: 'mousepad' } })];
    rig.services.console.profiles.assign('ann', 'lockdown');
    rig.agent.become('online');
    expect(await Promise.all(answers)).toMatchObject([
      { action: { status: 'awaiting_confirmation' } },
      { action: { status: 'awaiting_confirmation' } },
    ]);
    expect(rig.agent.sent).toEqual([]);
  });

  test.each([
    ['its requester is paused', (rig: Rig) => rig.services.console.requesters.pause('ann'), 'requester_paused'],
    ['everything is stopped', (rig: Rig) => rig.services.console.pause(), 'paused'],
  ])('what waits for the agent is refused when %s meanwhile', async (_what, pause, refused) => {
    const rig = startServices();
    rig.agent.become('starting');
    const answer = rig.submit(wait);
    pause(rig);
    rig.agent.become('online');
    expect(await answer).toMatchObject({ refused });
    expect(rig.agent.sent).toEqual([]);
  });
});

describe('grants', () => {
  test('are offered with the literal words of what they would allow', async ({ rig }) => {
    await rig.submitted(screenshot);
    expect(firstPrompt(rig).scopes).toEqual([
      { scope: 'once', grant: 'Only this once.' },
      { scope: 'minutes15', grant: '“ann” can take screenshots of the main display on "Desk" for 15 minutes.' },
      {
        scope: 'untilQuit',
        grant: '“ann” can take screenshots of the main display on "Desk" until Handrail quits, 8 hours at most.',
      },
      {
        scope: 'always',
        grant:
          '“ann” can take screenshots of the main display on "Desk" until it is unused for 30 days (90 days at most).',
      },
    ]);
  });

  test.each([
    ['high risk', { actionType: 'OpenApp', parameters: { appName: 'xterm' } }],
    ['what cannot be undone', { actionType: 'QuitApp', parameters: { appName: 'mousepad' } }],
  ])('are never offered for good for %s', async (_, body) => {
    const rig = startServices();
    await rig.submitted(body);
    expect(firstPrompt(rig).scopes.map(({ scope }) => scope)).toEqual(['once', 'minutes15', 'untilQuit']);
    expect(answerFirst(rig, 'allow', 'always')).toMatchObject({ refused: 'validation_failed' });
  });

  test('let exactly the same through, count their uses, and nothing else', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'minutes15');
    expect((await rig.submitted(screenshot)).status).toBe('running');
    const marked = { ...screenshot, parameters: { marks: true } };
    expect((await rig.submitted(marked)).status).toBe('awaiting_confirmation');
    answerFirst(rig, 'allow', 'minutes15');
    expect((await rig.submitted(marked)).status).toBe('running');
    const region = { x: 0, y: 0, width: 9, height: 9 };
    expect((await rig.submitted({ ...screenshot, parameters: { region } })).status).toBe('awaiting_confirmation');
    const targetDeviceId = rig.deviceOf('ann', { canCaptureScreen: true });
    expect((await rig.submitted({ ...screenshot, targetDeviceId })).status).toBe('awaiting_confirmation');
    const once = { useCount: 1, scope: 'minutes15', userId: 'ann' };
    expect(rig.services.console.grants.list()).toMatchObject([once, once]);
  });

  test('cover the same look in another form or with less in it', async ({ rig }) => {
    const look = (parameters: object) =>
      rig.submitted({ actionType: 'DescribeScreen', parameters: { contents: true, format: 'text', ...parameters } });
    await look({ since: 'abcd1234', depth: 'overview' });
    answerFirst(rig, 'allow', 'minutes15');
    expect(rig.services.console.grants.list()).toMatchObject([{ constraint: '{"contents":true}' }]);
    for (const form of [{ since: 'efgh5678' }, { bounds: true, maxElements: 9 }, {}])
      expect((await look(form)).status, JSON.stringify(form)).toMatch(/running|queued/);
    expect((await look({ display: 'HDMI-1' })).status).toBe('awaiting_confirmation');
  });

  test('of one user do not serve another', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'always');
    const body = { ...screenshot, targetDeviceId: rig.deviceOf('eve') };
    const answer = await rig.submit(body, { userId: 'eve', waitMs: 0 });
    expect(answer).toMatchObject({ action: { status: 'awaiting_confirmation' } });
  });

  test('end at their time, and unused ones before that', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'minutes15');
    rig.clock.advance(15 * 60_000);
    expect(rig.services.console.grants.list()).toEqual([]);
    expect((await rig.submitted(screenshot)).status).toBe('awaiting_confirmation');
    answerFirst(rig, 'allow', 'always');
    rig.clock.setWallClock(rig.clock.nowMs() + 30 * 86_400_000);
    expect((await rig.submitted(screenshot)).status).toBe('awaiting_confirmation');
  });

  test('for this run end with it, those for good do not', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'untilQuit');
    await rig.submitted({ ...screenshot, parameters: { marks: true } });
    answerFirst(rig, 'allow', 'always');
    const after = rig.crashAndRestart();
    expect(after.services.console.grants.list().map(({ scope }) => scope)).toEqual(['always']);
  });

  test('revoked take effect at once, also for what was let through and not yet sent', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'minutes15');
    await rig.agent.answer(done());
    await fillDesktop(rig);
    const queued = await rig.submitted(screenshot);
    expect(queued.status).toBe('queued');
    const [grant] = rig.services.console.grants.list();
    expect(rig.services.console.grants.revoke(String(grant?.id))).toBeUndefined();
    expect(rig.services.actions.get('ann', queued.actionId)).toMatchObject({ status: 'cancelled' });
    expect((await rig.submitted(screenshot)).status).toBe('awaiting_confirmation');
    expect(rig.services.console.grants.revoke(String(grant?.id))).toMatchObject({ refused: 'not_found' });
  });

  test('give way to a profile that blocks', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'always');
    rig.services.console.profiles.assign('ann', 'observe');
    expect((await rig.submitted(screenshot)).status).toBe('blocked');
  });

  test('that ended between acceptance and dispatch send nothing', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'minutes15');
    await rig.agent.answer(done());
    rig.clock.advance(10 * 60_000);
    await fillDesktop(rig);
    const queued = await rig.submitted({ ...screenshot, timeoutMs: 600_000 });
    rig.clock.advance(5 * 60_000);
    await rig.agent.answer(notDone(), rig.agent.sent[1]);
    expect(rig.services.actions.get('ann', queued.actionId)).toMatchObject({ status: 'expired' });
    expect(rig.agent.sent.map(({ actionId }) => actionId)).not.toContain(queued.actionId);
  });
});

describe('flood control', () => {
  test('an action of the same type and target is denied without a prompt until ten minutes after a denial', async () => {
    const rig = startServices();
    await rig.submitted({ ...screenshot, parameters: { quality: 80 } });
    deny(rig);
    for (const parameters of [{ quality: 80 }, { quality: 81 }, { format: 'png' }, {}]) {
      expect(await rig.submitted({ ...screenshot, parameters })).toMatchObject({
        status: 'denied',
        details: expect.stringContaining('denied this type of action on this target'),
      });
    }
    expect(rig.services.console.confirmations.list()).toEqual([]);
    rig.clock.advance(10 * 60_000 - 1);
    expect((await rig.submitted({ ...screenshot, parameters: { quality: 82 } })).status).toBe('denied');
    rig.clock.advance(1);
    expect((await rig.submitted({ ...screenshot, parameters: { quality: 82 } })).status).toBe('awaiting_confirmation');
  });

  test('a denial does not cover another target, type, device or user', async ({ rig }) => {
    const quit = (appName: string) => ({ actionType: 'QuitApp', parameters: { appName } });
    await rig.submitted(quit('mousepad'));
    deny(rig);
    expect((await rig.submitted(quit('Mousepad.desktop'))).status).toBe('denied');
    const registered = (userId: string) => rig.deviceOf(userId, {});
    const asked = [
      rig.submit(quit('thunar'), { waitMs: 0 }),
      rig.submit({ actionType: 'OpenApp', parameters: { appName: 'mousepad' } }, { waitMs: 0 }),
      rig.submit({ ...quit('mousepad'), targetDeviceId: registered('ann') }, { waitMs: 0 }),
      rig.submit({ ...quit('mousepad'), targetDeviceId: registered('bob') }, { userId: 'bob', waitMs: 0 }),
    ];
    const [other, opened, elsewhere, bobs] = await Promise.all(asked);
    expect([other, elsewhere, bobs]).toMatchObject(Array(3).fill({ action: { status: 'awaiting_confirmation' } }));
    expect(opened).toMatchObject({ action: { status: 'running' } });
  });

  test('a denial is remembered over a restart', async ({ rig }) => {
    await rig.submitted(screenshot);
    deny(rig);
    const after = rig.crashAndRestart();
    expect((await after.submitted({ ...screenshot, parameters: { quality: 30 } })).status).toBe('denied');
  });

  test('a display that the device does not have is refused with those it has, and asks nobody', async ({ rig }) => {
    const bounds = { x: 0, y: 0, width: 800, height: 600 };
    rig.agent.show([{ id: 'HDMI-1', name: 'HDMI-1', primary: true, bounds, scale: 1 }]);
    expect(await rig.submit({ ...screenshot, parameters: { display: 'allow-this' } })).toMatchObject({
      refused: 'parameters_invalid',
      errors: [{ pointer: '/parameters/display', message: expect.stringContaining('HDMI-1') }],
    });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    await rig.submitted({ ...screenshot, parameters: { display: 'HDMI-1' } });
    expect(firstPrompt(rig).prompt.sentence).toBe('Take a screenshot of display “HDMI-1”');
    deny(rig);
    expect((await rig.submitted(screenshot)).status).toBe('denied');
  });

  test('three denials in a row pause the requester, end its prompts, and only the person resumes it', async () => {
    const rig = startServices();
    for (const format of ['png', 'jpeg', 'webp']) await rig.submitted({ ...screenshot, parameters: { format } });
    const left = await rig.submitted(screenshot);
    for (let count = 0; count < 3; count += 1) deny(rig);
    expect(rig.services.actions.get('ann', left.actionId)).toMatchObject({ status: 'cancelled' });
    expect(await rig.submit(wait)).toMatchObject({
      refused: 'requester_paused',
      detail: expect.stringContaining('3 denials in a row'),
      retryAfterSeconds: 60,
    });
    const after = rig.crashAndRestart();
    expect(await after.submit(wait)).toMatchObject({ refused: 'requester_paused' });
    expect(after.services.console.requesters.resume('ann')).toMatchObject({ pausedBecause: null });
    expect((await after.submitted(wait)).status).toBe('running');
  });

  test('ten denials among the last fifty answers pause it too, whatever stands between', async ({ rig }) => {
    for (let count = 0; count < 10; count += 1) {
      expect(await rig.submit(wait, { waitMs: 0 })).not.toHaveProperty('refused');
      await rig.submitted({ ...screenshot, parameters: { display: `denied-${count}` } });
      deny(rig);
      if (count === 9) break;
      await rig.submitted({ ...screenshot, parameters: { maxWidth: 500 + count } });
      answerFirst(rig, 'allow');
    }
    expect(await rig.submit(wait)).toMatchObject({ refused: 'requester_paused' });
  });

  test('only the first prompt of the queue can be shown', async ({ rig }) => {
    await rig.submitted(screenshot);
    await rig.submitted(screenshot);
    const [one, other] = rig.services.console.confirmations.list();
    const shown = (prompt?: { id: string }) => rig.services.console.confirmations.shown(String(prompt?.id));
    expect(shown(other)).toMatchObject({ refused: 'confirmation_not_ready' });
    expect(shown(one)).toMatchObject({ prompt: { place: 1, waiting: 2 } });
  });

  test('pausing a user calls off what of it waits for its turn, and nothing of others', async ({ rig }) => {
    for (let count = 0; count < 16; count += 1) await rig.submitted(wait);
    const queued = await rig.submitted(wait);
    const other = await rig.submit({ ...wait, targetDeviceId: rig.deviceOf('bob') }, { userId: 'bob', waitMs: 0 });
    if (isRefusal(other) || other.kind !== 'action') throw new Error('expected an action of bob');
    rig.services.console.requesters.pause('ann');
    expect(rig.services.actions.get('ann', queued.actionId)).toMatchObject({ status: 'cancelled' });
    expect(rig.services.actions.get('bob', other.action.actionId)).toMatchObject({ status: 'queued' });
  });

  test('everything one user waits for can be denied at once, and that user paused', async ({ rig }) => {
    for (let count = 0; count < 5; count += 1)
      await rig.submitted({ ...screenshot, parameters: { maxWidth: 100 + count } });
    expect(rig.services.console.confirmations.denyAllOf('ann')).toBe(5);
    expect(rig.services.console.status()).toMatchObject({
      waiting: 0,
      requesters: [{ userId: 'ann', pausedBecause: '3 denials in a row' }],
    });
  });
});

test('who is paused, or waits for the person, is listed however many have asked since', async ({ rig }) => {
  const targetDeviceId = rig.deviceOf('bob');
  rig.services.console.requesters.pause('ann');
  await rig.submit({ ...screenshot, targetDeviceId }, { userId: 'bob', waitMs: 0 });
  rig.clock.advance(1);
  for (let user = 0; user < 100; user += 1) rig.deviceOf(`eve${user}`);
  const { requesters } = rig.services.console.status();
  const found = requesters.filter(({ userId }) => userId === 'ann' || userId === 'bob');
  expect(found).toMatchObject([
    { userId: 'ann', pausedBecause: 'you paused it' },
    { userId: 'bob', waiting: 1 },
  ]);
  expect(new Set(requesters.map(({ userId }) => userId)).size).toBe(102);
});

test('a rule for an app holds for it in other cases and spaces, and by its id', async ({ rig }) => {
  const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' } as const;
  rig.services.console.profiles.put({ name: 'mine', byLevel, rules: [{ verdict: 'block', apps: ['Disk Cleaner'] }] });
  rig.services.console.profiles.assign('ann', 'mine');
  for (const appName of ['disk  cleaner', ' Disk Cleaner', 'Disk Cleaner.desktop'])
    expect(await rig.submitted({ actionType: 'OpenApp', parameters: { appName } })).toMatchObject({
      status: 'blocked',
    });
});

describe('the emergency stop', () => {
  test('refuses what is new, ends what waits, cancels what runs, and stays over a restart', async ({ rig }) => {
    const running = await rig.submitted(wait);
    const waiting = await rig.submitted(screenshot);
    expect(rig.services.console.pause()).toMatchObject({ paused: true, waiting: 0 });
    expect(rig.agent.cancelled).toEqual([
      { key: { actionId: running.actionId, attempt: 1 }, reason: 'emergency_stop' },
    ]);
    expect(rig.services.actions.get('ann', waiting.actionId)).toMatchObject({ status: 'cancelled' });
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
    const after = rig.crashAndRestart();
    expect(await after.submit(wait)).toMatchObject({ refused: 'paused' });
    expect(await after.services.console.resume()).toMatchObject({ paused: false });
    expect((await after.submitted(wait)).status).toBe('running');
  });

  test('tells the agent to stop even where the disk is full', async ({ rig }) => {
    const reading = await rig.submitted(wait);
    const opening = await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'mousepad' } });
    fillDisk(rig);
    expect(rig.services.console.pause()).toMatchObject({ paused: true });
    expect(rig.agent.cancelled.map(({ key }) => key.actionId)).toEqual([reading.actionId, opening.actionId]);
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
    rig.store.limitPages(1_000_000);
    rig.clock.advance(1_000);
    expect(await rig.crashAndRestart().submit(wait)).toMatchObject({ refused: 'paused' });
  });

  test('calls off what was not sent even where the storage took only the wish to cancel it', async ({ rig }) => {
    for (let count = 0; count < 16; count += 1) await rig.submitted(wait);
    const queued = await rig.submitted(wait);
    const { findByAction } = rig.store.confirmations;
    Object.assign(rig.store.confirmations, {
      findByAction() {
        throw new StorageUnavailable('the disk is full');
      },
    });
    expect(rig.services.console.pause()).toMatchObject({ paused: true });
    Object.assign(rig.store.confirmations, { findByAction });
    rig.clock.advance(1_000);
    expect(rig.services.actions.get('ann', queued.actionId)).toMatchObject({ status: 'cancelled' });
    rig.services.console.resume();
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(16);
  });

  test('holds for what an earlier run left behind', async ({ rig }) => {
    for (let count = 0; count < 16; count += 1) await rig.submitted(wait);
    const queued = await rig.submitted(wait);
    rig.store.write('durable', () => rig.store.settings.set('pausedAtMs', rig.clock.nowMs()));
    const after = rig.crashAndRestart();
    expect(after.agent.sent).toEqual([]);
    expect(after.services.actions.get('ann', queued.actionId)).toMatchObject({ status: 'cancelled' });
  });

  test('does not count as denials by the person', async ({ rig }) => {
    for (let count = 0; count < 3; count += 1)
      await rig.submitted({ ...screenshot, parameters: { maxWidth: 100 + count } });
    rig.services.console.pause();
    rig.services.console.resume();
    expect((await rig.submitted(wait)).status).toBe('running');
  });
});

describe('a user key', () => {
  test('is needed from the moment it is made until it is removed', ({ rig }) => {
    expect(rig.services.isGenuine('ann', undefined)).toBe(true);
    const made = rig.services.console.requesters.createKey('ann');
    expect([undefined, 'guess', made.key].map((key) => rig.services.isGenuine('ann', key))).toEqual([
      false,
      false,
      true,
    ]);
    expect(rig.crashAndRestart().services.isGenuine('ann', made.key)).toBe(true);
  });

  test('can be made for an id that nobody has used yet: the first call under it needs the key already', ({ rig }) => {
    const { key } = rig.services.console.requesters.createKey('new-script');
    expect([undefined, key].map((shown) => rig.services.isGenuine('new-script', shown))).toEqual([false, true]);
    expect(rig.services.console.status().requesters).toContainEqual(
      expect.objectContaining({ userId: 'new-script', hasKey: true }),
    );
    expect(rig.kinds()).toContain('requester.key_created');
    expect(rig.crashAndRestart().services.isGenuine('new-script', undefined)).toBe(false);
  });
});

describe('the event stream', () => {
  test('gives a reader everything after its place, once and in order', async ({ rig }) => {
    const { events } = rig.services;
    const from = events.latestId();
    await rig.submitted(wait);
    const one = events.read(from, { limit: 1 });
    const rest = events.read(one.reachedId, { limit: 10 });
    expect([...one.events, ...rest.events].map(({ kind }) => kind)).toEqual(['action.requested', 'action.dispatched']);
    expect(events.read(rest.reachedId, { limit: 10 }).events).toEqual([]);
  });

  test('shows a user only what is the user’s own, and nothing of the dashboard', async ({ rig }) => {
    await rig.submitted(screenshot);
    answerFirst(rig, 'allow', 'minutes15');
    const kinds = (userId: string) =>
      rig.services.events.read(0, { userId, limit: 100 }).events.map(({ kind }) => kind);
    expect(kinds('ann')).toEqual(['device.registered', 'action.requested', 'action.allowed', 'action.dispatched']);
    expect(kinds('eve')).toEqual([]);
  });

  test('wakes a reader that has read everything', async ({ rig }) => {
    const { events } = rig.services;
    const woken = events.more(events.latestId(), new AbortController().signal);
    await rig.submitted(wait);
    await woken;
    expect(events.latestId()).toBeGreaterThan(0);
  });

  test('cannot be taken up again ten thousand events later', ({ rig }) => {
    expect(rig.services.events.isReplayable(0)).toBe(true);
    rig.store.write('relaxed', () => {
      for (let count = 0; count < 10_001; count += 1) rig.store.journal.append(1, { kind: 'agent.start_requested' });
    });
    expect(rig.services.events.isReplayable(0)).toBe(false);
    expect(rig.services.events.isReplayable(rig.services.events.latestId() + 1)).toBe(false);
  });
});
