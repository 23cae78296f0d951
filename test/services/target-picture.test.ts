import { hash } from 'node:crypto';
import { expect } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import { RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import { firstPrompt } from './answers.ts';
import { CLICK, control, handsOf } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { submitTask } from './tasks-rig.ts';

const NOTES: ResolvedWindow = {
  id: '0x1',
  app: 'Notes',
  pid: 7,
  title: 'notes.txt',
  bounds: { x: 0, y: 0, width: 800, height: 600 },
};
const REGION = { x: 10, y: 20, width: 300, height: 200 };

function picture(bytes = Buffer.from('a picture')) {
  const size = { sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') };
  const announced = { id: 'art_1', mediaType: 'image/jpeg', width: 960, height: 720, ...size } as const;
  return done({ attachments: [{ announced, bytes }] });
}

/** A prompt about a screenshot with these parameters. */
async function asked(rig: Rig, parameters: Record<string, unknown>): Promise<Confirmation> {
  const submitted = rig.submitted({ actionType: 'TakeScreenshot', parameters });
  await rig.sent();
  if (rig.agent.sent.at(-1)?.actionType === RESOLVE_TARGETS) await answerLook(rig, NOTES);
  await submitted;
  return firstPrompt(rig);
}

const captures = ({ agent }: Rig) => agent.sent.filter(({ actionType }) => actionType === 'TakeScreenshot');
const keptPictures = ({ store }: Rig) => store.artifactFiles.list();

test('a prompt about a window has its picture, which is stored nowhere', async ({ rig }) => {
  const { id, prompt } = await asked(rig, { windowId: NOTES.id, maxWidth: 4_000, format: 'png' });
  expect(prompt.target).toBe('window');
  const taking = rig.services.console.targetPicture(id);
  expect(captures(rig)).toMatchObject([
    {
      parameters: { windowId: NOTES.id, format: 'jpeg', maxWidth: 1_280, quality: 70 },
      targets: [{ kind: 'window', windowId: NOTES.id, window: NOTES }],
      effectClass: 'pure',
    },
  ]);
  const rows = rig.kinds().length;
  await rig.agent.answer(picture());
  expect(await taking).toEqual({ mediaType: 'image/jpeg', bytes: Buffer.from('a picture') });
  expect([await keptPictures(rig), rig.kinds().length]).toEqual([[], rows]);
});

test('a prompt about a region has its picture', async ({ rig }) => {
  const { id, prompt } = await asked(rig, { region: REGION });
  expect(prompt.target).toBe('region');
  const taking = rig.services.console.targetPicture(id);
  expect(captures(rig)[0]?.parameters).toEqual({ region: REGION, format: 'jpeg', maxWidth: 1_280, quality: 70 });
  await rig.agent.answer(picture());
  expect(await taking).toHaveProperty('bytes');
});

test('a prompt about a whole display has no target, and nothing is captured for it', async ({ rig }) => {
  const { id, prompt } = await asked(rig, {});
  expect(prompt.target).toBeUndefined();
  expect(await rig.services.console.targetPicture(id)).toMatchObject({ refused: 'artifact_not_found' });
  expect(captures(rig)).toEqual([]);
});

test('two pages that ask at once share one capture', async ({ rig }) => {
  const { id } = await asked(rig, { region: REGION });
  const both = [rig.services.console.targetPicture(id), rig.services.console.targetPicture(id)];
  expect(captures(rig)).toHaveLength(1);
  await rig.agent.answer(picture());
  expect(await both[0]).toEqual(await both[1]);
});

test('a picture that arrives after the prompt has ended is not handed out', async ({ rig }) => {
  const { id } = await asked(rig, { region: REGION });
  const taking = rig.services.console.targetPicture(id);
  rig.services.console.confirmations.denyAllOf('ann');
  await rig.agent.answer(picture(), captures(rig)[0]);
  expect(await taking).toMatchObject({ refused: 'confirmation_resolved' });
  expect(await rig.services.console.targetPicture(id)).toMatchObject({ refused: 'confirmation_resolved' });
  expect(captures(rig)).toHaveLength(1);
});

test('a picture of exactly 1 MiB is shown', async ({ rig }) => {
  const { id } = await asked(rig, { region: REGION });
  const taking = rig.services.console.targetPicture(id);
  await rig.agent.answer(picture(Buffer.alloc(1_048_576)));
  expect(await taking).toMatchObject({ mediaType: 'image/jpeg' });
});

test.each([
  ['the window has changed', notDone({ code: 'target_changed', message: 'It is not as the person was told.' })],
  ['it is larger than 1 MiB', picture(Buffer.alloc(1_048_577))],
  ['the agent sent none', done()],
])('there is no picture where %s', async (_why, outcome) => {
  const rig = startServices();
  const { id } = await asked(rig, { region: REGION });
  const taking = rig.services.console.targetPicture(id);
  await rig.agent.answer(outcome);
  expect(await taking).toMatchObject({ refused: 'artifact_not_found' });
});

/** A prompt for a plan of a click, a region and a step that needs no approval. */
async function askedPlan(rig: Rig): Promise<Confirmation> {
  const targetDeviceId = handsOf(rig);
  const submitted = submitTask(rig, [
    { id: 'click', targetDeviceId, ...CLICK },
    { id: 'look', targetDeviceId, actionType: 'TakeScreenshot', parameters: { region: REGION } },
    { id: 'wait', targetDeviceId },
  ]);
  await rig.sent();
  await answerLook(rig, control());
  await submitted;
  return firstPrompt(rig);
}

test('the steps of a plan that the answer allows have pictures, as single prompts do', async ({ rig }) => {
  const confirmation = await askedPlan(rig);
  const around = { x: -200, y: -20, width: 640, height: 260 };
  expect(confirmation).toMatchObject({
    plan: {
      steps: [
        { id: 'click', target: 'region', crop: { region: around, outlines: [control().bounds], points: [] } },
        { id: 'look', target: 'region' },
        { id: 'wait' },
      ],
    },
  });
  const { targetPicture } = rig.services.console;
  const taken = [targetPicture(confirmation.id, { step: 'click' }), targetPicture(confirmation.id, { step: 'look' })];
  // The agent is asked for one after the other.
  expect(captures(rig)).toMatchObject([{ parameters: { region: around } }]);
  await rig.agent.answer(picture());
  expect(await taken[0]).toHaveProperty('bytes');
  await rig.sent();
  expect(captures(rig).at(-1)).toMatchObject({ parameters: { region: REGION } });
  await rig.agent.answer(picture());
  expect(await taken[1]).toHaveProperty('bytes');
  for (const step of ['wait', 'nope', undefined])
    expect(await targetPicture(confirmation.id, { step })).toMatchObject({ refused: 'artifact_not_found' });
});

test('a picture of a step that was asked for before the prompt ended is not taken afterwards', async ({ rig }) => {
  const { id } = await askedPlan(rig);
  const { targetPicture } = rig.services.console;
  const taken = [targetPicture(id, { step: 'click' }), targetPicture(id, { step: 'look' })];
  rig.services.console.confirmations.denyAllOf('ann');
  await rig.agent.answer(picture(), captures(rig)[0]);
  expect(await Promise.all(taken)).toMatchObject([
    { refused: 'confirmation_resolved' },
    { refused: 'confirmation_resolved' },
  ]);
  expect(captures(rig)).toHaveLength(1);
});
