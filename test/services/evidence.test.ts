import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { PICTURE_PLACE } from '../../src/contract/link.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { CLICK, control, doneBy, submitOn } from './hands.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt } from './tasks-rig.ts';

const NAMES = { before: 'art_0BEFORE', after: 'art_1AFTER' } as const;

function picture(role?: 'before' | 'after') {
  const bytes = Buffer.from(`a picture of ${role}`);
  const size = { sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') };
  const id = role === undefined ? 'art_2RESULT' : NAMES[role];
  const announced = { id, mediaType: 'image/jpeg' as const, width: 480, height: 300, ...size };
  return { announced: role === undefined ? announced : { ...announced, role }, bytes };
}

/** The agent does not know that a question is about an input. */
function afterwards(what = 'the end') {
  const bytes = Buffer.from(`a picture of ${what}`);
  const size = { sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') };
  return { announced: { ...picture().announced, ...size, id: NAMES.after }, bytes };
}

const WAITS_MS = [250, 500, 500, 750];

/** The agent answers the looks after an input, the first one at once, with these pictures or none. */
async function laterLooks(rig: Rig, ...seen: (string | undefined)[]): Promise<void> {
  for (const [index, what] of seen.entries()) {
    expect(rig.agent.sent.at(-1)).toMatchObject({ actionType: PICTURE_PLACE, effectClass: 'pure' });
    await rig.agent.answer(done({ attachments: what === undefined ? [] : [afterwards(what)] }));
    rig.clock.advance(WAITS_MS[index] ?? 0);
    await rig.sent();
  }
}

async function bytesOf(rig: Rig, id: string): Promise<string> {
  const opened = await rig.services.console.artifacts.openForPerson(id);
  if (isRefusal(opened)) throw new Error(opened.detail);
  return (await buffer(opened.bytes)).toString();
}

/** A click that runs at once, because the person trusts this requester. */
async function clicked(rig: Rig): Promise<string> {
  rig.services.console.profiles.assign('ann', 'trusted');
  const { actionId, status } = await submitOn(rig, CLICK);
  expect(status).toBe('running');
  return actionId;
}

async function withPictures(rig: Rig): Promise<string> {
  const actionId = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, ...Array.from({ length: 5 }, () => 'the end'));
  await expect.poll(() => rig.kinds().filter((kind) => kind === 'artifact.kept').length).toBe(2);
  return actionId;
}

function detailOf({ services }: Rig, actionId: string) {
  const detail = services.console.activity.detail(actionId);
  if ('refused' in detail) throw new Error(detail.detail);
  return detail;
}

test.each([
  ['failed', false, 'target_changed', 'failed'],
  ['was cancelled', true, 'internal_error', 'cancelled'],
] as const)(
  'an input that %s keeps the pictures of what it met, and what it left',
  async (_how, cancelled, code, status) => {
    const rig = startServices();
    const actionId = await clicked(rig);
    const failure = { ok: false, cancelled, code, message: 'It is another one.', sideEffect: 'none' } as const;
    await rig.agent.answer({ ...failure, attachments: [picture('before'), picture()] });
    await laterLooks(rig, ...Array.from({ length: 5 }, () => 'the end'));
    await expect.poll(() => detailOf(rig, actionId).evidence).toMatchObject([{ role: 'before' }, { role: 'after' }]);
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status });
    expect(rig.services.actions.get('ann', actionId)).not.toHaveProperty('artifacts');
  },
);

test.each([
  ['a password field', control({ isPassword: true })],
  ['a control that shows a password', control({ role: 'checkbox', name: 'Show password' })],
])('N10: no picture is taken of %s', async (_what, target) => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const { status } = await submitOn(rig, CLICK, [target]);
  if (status === 'awaiting_confirmation') await answerPrompt(rig, 'allow');
  expect(doneBy(rig).at(-1)).toMatchObject({ actionType: 'Click' });
  expect(doneBy(rig).at(-1)).not.toHaveProperty('evidence');
});

test('an input is sent with the part of the screen around its target, of which the agent takes two pictures', async () => {
  const rig = startServices();
  await clicked(rig);
  expect(doneBy(rig).at(-1)?.evidence).toMatchObject({ region: { width: 640, height: 260 } });
});

test('the picture after an input is the last one of two seconds: a slow page has gone on by then', async ({ rig }) => {
  const actionId = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'success' });
  await expect.poll(() => detailOf(rig, actionId).evidence).toMatchObject([{ role: 'before' }]);
  await laterLooks(rig, 'the page', 'the page', 'the page', 'a page that is loading', 'the next page');
  await expect.poll(() => detailOf(rig, actionId).evidence).toMatchObject([{ role: 'before' }, { role: 'after' }]);
  expect(await bytesOf(rig, NAMES.after)).toBe('a picture of the next page');
  const looks = rig.agent.sent.filter(({ actionType }) => actionType === PICTURE_PLACE).length;
  rig.clock.advance(60_000);
  expect(rig.agent.sent.filter(({ actionType }) => actionType === PICTURE_PLACE)).toHaveLength(looks);
});

test('what is seen once another input has begun is not the effect of the one before', async ({ rig }) => {
  const actionId = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, 'its effect');
  const look = rig.agent.sent.at(-1);
  expect(look).toMatchObject({ actionType: PICTURE_PLACE });
  await clicked(rig);
  await rig.agent.answer(done({ attachments: [afterwards('the effect of the next')] }), look);
  await expect.poll(() => detailOf(rig, actionId).evidence).toMatchObject([{ role: 'before' }, { role: 'after' }]);
  expect(await bytesOf(rig, NAMES.after)).toBe('a picture of its effect');
});

test('the pictures until then are kept when the agent goes away', async ({ rig }) => {
  const actionId = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, 'its effect');
  rig.agent.listener.lost();
  await rig.agent.answer(done({ attachments: [afterwards('nothing of it')] }));
  await expect.poll(() => detailOf(rig, actionId).evidence).toMatchObject([{ role: 'before' }, { role: 'after' }]);
  expect(await bytesOf(rig, NAMES.after)).toBe('a picture of its effect');
});

test('a place that is blank before an input, or at its end, has no picture of that time', async ({ rig }) => {
  const opened = await clicked(rig);
  await rig.agent.answer(done());
  await laterLooks(rig, undefined, undefined, undefined, 'a page', 'a page');
  await expect.poll(() => detailOf(rig, opened).evidence).toMatchObject([{ role: 'after' }]);
  const closed = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, 'a page', 'a page', 'a page', 'a page', undefined);
  await expect.poll(() => detailOf(rig, closed).evidence).toMatchObject([{ role: 'before' }]);
});

test('N10: the person sees both pictures, and the requester neither learns of them nor can read or remove them', async () => {
  const rig = startServices();
  const actionId = await withPictures(rig);
  expect(detailOf(rig, actionId).evidence).toMatchObject([
    { id: NAMES.before, role: 'before' },
    { id: NAMES.after, role: 'after' },
  ]);
  expect(await bytesOf(rig, NAMES.after)).toBe('a picture of the end');
  expect(rig.services.actions.get('ann', actionId)).not.toHaveProperty('artifacts');
  for (const id of Object.values(NAMES)) {
    expect(await rig.services.artifacts.open('ann', id)).toMatchObject({ refused: 'artifact_not_found' });
    expect(await rig.services.artifacts.remove('ann', id)).toMatchObject({ refused: 'artifact_not_found' });
  }
  const { events } = rig.services.events.read(0, { userId: 'ann', limit: 1_000 });
  expect(JSON.stringify(events)).not.toContain(picture('before').announced.sha256);
});

test.each([
  ['both pictures of an input', 'the end', ['Before', 'After']],
  ['the picture once where nothing changed', 'before', ['Before and after: nothing changed here']],
])('a saved run shows %s', async (_what, end, captions) => {
  const rig = startServices();
  const actionId = await clicked(rig);
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, end, end, end, end, end);
  await expect.poll(() => detailOf(rig, actionId).evidence).toHaveLength(2);
  const saved = await rig.services.console.runs.save(actionId);
  if (isRefusal(saved)) throw new Error(saved.detail);
  const shown = [...saved.page.matchAll(/<p class="hint">([^<]*)<\/p><img src="data:image\/jpeg;base64,([^"]+)"/gu)];
  expect(shown.map(([, caption]) => caption)).toEqual(captions);
  const bytes = [picture('before').bytes, afterwards(end).bytes].slice(0, captions.length);
  expect(shown.map(([, , base64]) => base64)).toEqual(bytes.map((each) => each.toString('base64')));
});

test('the pictures of an input count for the quota, and end after 24 hours', async ({ rig }) => {
  const actionId = await withPictures(rig);
  expect(await rig.store.artifactFiles.list()).toHaveLength(2);
  rig.clock.advance(24 * 3_600_000 + 1);
  rig.clock.advance(60 * 60_000);
  await expect.poll(() => rig.store.artifactFiles.list()).toEqual([]);
  expect(detailOf(rig, actionId)).not.toHaveProperty('evidence');
});

test('a person who turns the pictures off gets none, and other settings stay', async ({ rig }) => {
  rig.services.console.settings.put({ ...rig.services.console.settings.get(), keepsEvidence: false });
  await clicked(rig);
  expect(doneBy(rig).at(-1)).not.toHaveProperty('evidence');
  await rig.agent.answer(done());
  expect(rig.agent.sent.map(({ actionType }) => actionType)).not.toContain(PICTURE_PLACE);
  rig.services.console.settings.put({ promptExpiryMs: 60_000 });
  expect(rig.services.console.settings.get()).toMatchObject({ promptExpiryMs: 60_000, keepsEvidence: false });
});

test('a picture that cannot be kept leaves the action as it was', async ({ rig }) => {
  const actionId = await clicked(rig);
  rig.store.artifactFiles.write = () => Promise.reject(new Error('the disk is full'));
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await laterLooks(rig, 'its effect', 'its effect', 'its effect', 'its effect', 'its effect');
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'success', details: 'Done.' });
  expect(detailOf(rig, actionId)).not.toHaveProperty('evidence');
});

test('what is no input, or has no place on the screen, gets no pictures', async ({ rig }) => {
  rig.services.console.profiles.assign('ann', 'trusted');
  await submitOn(rig, CLICK, [control({ bounds: null })]);
  expect(doneBy(rig).at(-1)).not.toHaveProperty('evidence');
});
