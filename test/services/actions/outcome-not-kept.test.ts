import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Attachment } from '../../../src/contract/link.ts';
import type { AttemptOutcome } from '../../../src/services/agent/port.ts';
import { done, type Rig, startServices } from '../rig.ts';
import { answerStep, submittedTask, taskNow } from '../tasks-rig.ts';

const OUTPUT = new TextEncoder().encode('42\n');
const ANNOUNCED: Attachment = {
  id: 'art_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  mediaType: 'text/plain',
  width: 0,
  height: 0,
  sizeBytes: OUTPUT.length,
  sha256: '0'.repeat(64),
};
const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' } };

const withOutput: AttemptOutcome = done({
  details: 'It was done.',
  effect: 'confirmed',
  data: { exitCode: 0 },
  attachments: [{ announced: ANNOUNCED, bytes: OUTPUT }],
});

/** Services that let medium risk through, and whose folder of artifacts can be taken away. */
function withoutArtifacts(): { rig: Rig; putBack(): void; folder: string } {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const folder = dirname(rig.store.artifactFiles.pathOf('art'));
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  const putBack = () => {
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
  };
  return { rig, putBack, folder };
}

/** The output was written in another turn of the event loop. */
async function settled(rig: Rig): Promise<void> {
  while (rig.agent.acknowledged.length === 0) await new Promise((resolve) => void setTimeout(resolve, 1));
}

test('an action that was done and whose output cannot be kept is recorded as done, without the output', async () => {
  const { rig } = withoutArtifacts();
  const { actionId } = await rig.submitted(quit);
  await rig.agent.answer(withOutput);
  await settled(rig);
  const action = rig.services.actions.get('ann', actionId);
  expect(action).toMatchObject({
    status: 'success',
    effect: 'confirmed',
    details:
      'It was done. Its output could not be written to disk, so it is not kept: the disk is full, or the data directory cannot be written to. Do not submit it again for that alone.',
    data: { exitCode: 0 },
    error: undefined,
  });
  expect(action).not.toHaveProperty('artifacts');
  expect(rig.store.journal.readAfter(0, 100).at(-1)).toMatchObject({
    kind: 'action.succeeded',
    metadata: { effect: 'confirmed', attachments: [], notKept: true },
  });
});

test('so is a step, and the next step begins', async () => {
  const { rig } = withoutArtifacts();
  const { taskId } = await submittedTask(rig, [
    { id: 'quit', ...quit },
    { id: 'next', dependsOn: ['quit'] },
  ]);
  await answerStep(rig, taskId, 'quit', withOutput);
  await settled(rig);
  expect(taskNow(rig, taskId).steps).toMatchObject([{ status: 'success' }, { status: 'running' }]);
});

test('a read whose result cannot be kept did nothing, and has failed', async () => {
  const { rig } = withoutArtifacts();
  const { actionId } = await rig.submitted({ actionType: 'DescribeScreen', parameters: {} });
  await rig.agent.answer(withOutput);
  await settled(rig);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'failed', effect: 'none' });
});

test('a write that failed half-way leaves nothing that keeps a later one from writing', async () => {
  const { rig, putBack, folder } = withoutArtifacts();
  putBack();
  const write = (bytes: Uint8Array) => rig.store.artifactFiles.write(ANNOUNCED.id, bytes);
  // No bytes at all: the system refuses them only after the file is there.
  await expect(write(null as never)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
  await write(OUTPUT);
  expect(readdirSync(folder)).toEqual([ANNOUNCED.id]);
});
