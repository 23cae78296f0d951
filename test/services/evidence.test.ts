import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { CLICK, control, doneBy, submitOn } from './hands.ts';
import { done, type Rig, startServices } from './rig.ts';
import { answerPrompt } from './tasks-rig.ts';

const NAMES = { before: 'art_0BEFORE', after: 'art_1AFTER' } as const;

function picture(role?: 'before' | 'after') {
  const bytes = Buffer.from(`a picture ${role}`);
  const size = { sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') };
  const id = role === undefined ? 'art_2RESULT' : NAMES[role];
  const announced = { id, mediaType: 'image/jpeg' as const, width: 480, height: 300, ...size };
  return { announced: role === undefined ? announced : { ...announced, role }, bytes };
}

/** The agent does not know that a question is about an input. */
function afterwards() {
  const { announced, bytes } = picture();
  return { announced: { ...announced, id: NAMES.after }, bytes };
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
  expect(rig.agent.sent.at(-1)).toMatchObject({ actionType: 'TakeScreenshot', effectClass: 'pure' });
  await rig.agent.answer(done({ attachments: [afterwards()] }));
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
    await rig.agent.answer(done({ attachments: [afterwards()] }));
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
  expect(doneBy(rig).at(-1)?.evidence).toMatchObject({ width: 640, height: 260 });
});

test('N10: the person sees both pictures, and the requester neither learns of them nor can read or remove them', async () => {
  const rig = startServices();
  const actionId = await withPictures(rig);
  expect(detailOf(rig, actionId).evidence).toMatchObject([
    { id: NAMES.before, role: 'before' },
    { id: NAMES.after, role: 'after' },
  ]);
  const opened = await rig.services.console.artifacts.openForPerson(NAMES.after);
  if (isRefusal(opened)) throw new Error(opened.detail);
  expect(await buffer(opened.bytes)).toEqual(afterwards().bytes);
  expect(rig.services.actions.get('ann', actionId)).not.toHaveProperty('artifacts');
  for (const id of Object.values(NAMES)) {
    expect(await rig.services.artifacts.open('ann', id)).toMatchObject({ refused: 'artifact_not_found' });
    expect(await rig.services.artifacts.remove('ann', id)).toMatchObject({ refused: 'artifact_not_found' });
  }
  const { events } = rig.services.events.read(0, { userId: 'ann', limit: 1_000 });
  expect(JSON.stringify(events)).not.toContain(picture('before').announced.sha256);
});

test('the pictures of an input count for the quota, and end after 24 hours', async () => {
  const rig = startServices();
  const actionId = await withPictures(rig);
  expect(await rig.store.artifactFiles.list()).toHaveLength(2);
  rig.clock.advance(24 * 3_600_000 + 1);
  rig.clock.advance(60 * 60_000);
  await expect.poll(() => rig.store.artifactFiles.list()).toEqual([]);
  expect(detailOf(rig, actionId)).not.toHaveProperty('evidence');
});

test('a person who turns the pictures off gets none, and other settings stay', async () => {
  const rig = startServices();
  rig.services.console.settings.put({ ...rig.services.console.settings.get(), keepsEvidence: false });
  await clicked(rig);
  expect(doneBy(rig).at(-1)).not.toHaveProperty('evidence');
  rig.services.console.settings.put({ promptExpiryMs: 60_000 });
  expect(rig.services.console.settings.get()).toEqual({ promptExpiryMs: 60_000, keepsEvidence: false });
});

test('a picture that cannot be kept leaves the action as it was', async () => {
  const rig = startServices();
  const actionId = await clicked(rig);
  rig.store.artifactFiles.write = () => Promise.reject(new Error('the disk is full'));
  await rig.agent.answer(done({ attachments: [picture('before')] }));
  await rig.agent.answer(done({ attachments: [afterwards()] }));
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'success', details: 'Done.' });
  expect(detailOf(rig, actionId)).not.toHaveProperty('evidence');
});

test('what is no input, or has no place on the screen, gets no pictures', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  await submitOn(rig, CLICK, [control({ bounds: null })]);
  expect(doneBy(rig).at(-1)).not.toHaveProperty('evidence');
});
